import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** One hook as Codex itself lists it. */
export interface CodexHook {
  /** What it calls the hook: file, event and place. */
  readonly key: string;
  readonly currentHash: string;
  /** Which of its settings have it: `user`, `project`, `sessionFlags`. */
  readonly source: string;
  readonly eventName: string;
  readonly command: string | null;
  readonly enabled: boolean;
  readonly trustStatus: "managed" | "untrusted" | "trusted" | "modified";
}

const answerByMs = 20_000;

/**
 * Asks Codex which hooks it has found and which of them it trusts; null when it does not say. What a trusted hook is
 * stays Codex's business: the hash it compares is of its own making.
 */
export async function listHooks(
  argv: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly CodexHook[] | null> {
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "ignore"], detached: true });
  const gone = new Promise<null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", () => resolve(null));
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), answerByMs);
  });
  child.stdin.on("error", () => undefined); // it has ended: `gone` says so
  for (const message of questions(cwd)) child.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    const lines = createInterface({ input: child.stdout });
    const answered = new Promise<readonly CodexHook[]>((resolve) => {
      lines.on("line", (line) => {
        const hooks = hooksIn(line);
        if (hooks !== null) resolve(hooks);
      });
    });
    return await Promise.race([answered, gone, late]);
  } finally {
    clearTimeout(timer);
    if (child.pid !== undefined && child.exitCode === null) endGroup(child.pid);
    await gone;
  }
}

const listId = 2;

/** It ends with its stdin, answered or not: the pipe stays open until the answer is there. */
function questions(cwd: string): object[] {
  const clientInfo = { name: "swarm-verify", title: null, version: "0" };
  return [
    { id: 1, method: "initialize", params: { clientInfo } },
    { method: "initialized" },
    { id: listId, method: "hooks/list", params: { cwds: [cwd] } },
  ];
}

function hooksIn(line: string): readonly CodexHook[] | null {
  try {
    const { id, result } = JSON.parse(line) as {
      id?: number;
      result?: { data?: { hooks: readonly CodexHook[] }[] };
    };
    return id === listId ? (result?.data ?? []).flatMap(({ hooks }) => hooks) : null;
  } catch {
    return null; // a line that is not ours to read
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
