import { hookEnvironment } from "../../handlers/process/environment.ts";
import { runProcess } from "../../handlers/process/run-process.ts";

export interface CodeCommit {
  readonly commit: string;
  /** Whether files that git follows differ from it; null where that cannot be told without running what the repository says. */
  readonly is_dirty: boolean | null;
}

const timeoutMs = 30_000;

/**
 * The commit a folder is at; null where there is no repository, no commit, or no git. A repository's own configuration
 * can name programs for git to run: none is, neither to watch its files nor to filter them.
 */
export async function codeCommit(folder: string, env: NodeJS.ProcessEnv): Promise<CodeCommit | null> {
  const git = async (...args: readonly string[]) => {
    const safe = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
    const { ending, stdout } = await runProcess({
      argv: ["git", ...safe, ...args],
      cwd: folder,
      env: hookEnvironment(env, { GIT_TERMINAL_PROMPT: "0" }),
      stdin: "",
      timeoutMs,
      spillFolder: null,
    });
    // More output than is kept is some, and that is all that is asked.
    return ending.how === "exited" ? { exitCode: ending.exitCode, stdout } : { exitCode: null, stdout };
  };
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  const commit = head.stdout.trim();
  if (head.exitCode !== 0 || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const filters = await git(
    "config",
    "--includes",
    "--show-scope",
    "--name-only",
    "--get-regexp",
    "^filter\\.",
  );
  if (/^(local|worktree)\t/m.test(filters.stdout)) return { commit, is_dirty: null };
  const status = await git("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all");
  if (status.stdout !== "") return { commit, is_dirty: true };
  return { commit, is_dirty: status.exitCode === 0 ? false : null };
}
