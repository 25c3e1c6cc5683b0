import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { loadPolicyFile } from "../../config/policy/load-policy.ts";
import type { Action } from "../../policy/rules/action.ts";
import type { Place } from "../../policy/rules/detect/place.ts";
import type { Adapter } from "./adapter.ts";

const names = { home: "/home/user", swarmHome: "/home/user/.swarm" };
const { policy } = loadPolicyFile(join(import.meta.dirname, "../../../test/policies/self.yaml"), names);
const folders = { home: names.home, project: "/workspace/project", env: {} };

/** The shipped policy asks before an agent's settings are changed, so that no agent can switch its own hooks off. */
export function protectionCases(
  { settings, bypasses }: Pick<Adapter, "settings" | "bypasses">,
  moved: NodeJS.ProcessEnv | null,
): void {
  for (const scope of ["user", "project"] as const) {
    test(`the file of the ${scope} that hooks are installed into is protected`, () => {
      assertProtected(settings.file(scope, folders), []);
    });
  }
  test("the user's file is protected where a variable has moved it", () => {
    if (moved === null) return;
    const file = settings.file("user", { ...folders, env: moved });
    assertProtected(file, [file]);
  });
  test("every other file in which hooks can be switched off is protected", () => {
    for (const file of settings.switchFiles(folders)) if (!isForAnything(file)) assertProtected(file, []);
  });
  test("no variable that switches hooks off is set, for a command or in a file", () => {
    for (const { kind, example } of bypasses) {
      if (kind !== "variable") continue;
      const files = settings.switchFiles(folders).filter(isForAnything);
      const lines = [`${example} some-agent`, `export ${example}`, `env ${example} some-agent`];
      for (const command of [...lines, ...files.map((file) => `echo ${example} >> ${file}`)]) {
        const asked = said({ kind: "shell", name: "Bash", input: { command } }, []);
        assert.equal(asked, "ask self/hook-variables", command);
      }
      for (const file_path of files) {
        const written = { kind: "write", name: "Write", input: { file_path, content: `A=1\n${example}\n` } };
        assert.equal(said(written, []), "ask self/hook-variables", file_path);
        assert.equal(said({ ...written, input: { file_path, content: "A=1\n" } }, []), "none");
      }
      const neighbours = [`grep -rn ${example.split("=")[0]} docs`, `echo ${example.split("=")[0]}`];
      for (const command of neighbours) {
        assert.equal(said({ kind: "shell", name: "Bash", input: { command } }, []), "none", command);
      }
    }
  });
}

/** Projects keep settings of their own in a file called `.env`: what is written into it is judged, not that it is. */
function isForAnything(file: string): boolean {
  return basename(file) === ".env" && basename(dirname(file)) !== ".qwen";
}

/** `installed`: what `swarm install` has noted. */
function said(action: Pick<Action, "kind" | "name" | "input">, installed: readonly string[]): string {
  const place: Place = {
    cwd: folders.project,
    root: folders.project,
    home: folders.home,
    realPath: (path) => path,
    isFolder: () => true,
    installedFiles: () => installed,
    readText: () => null,
  };
  const whole = { event: "tool.before", agents: [], role: null, nowMs: 0, ...action } as const;
  const judged = policy?.judge(whole, place) ?? null;
  return judged === null ? "none" : `${judged.behaviour} ${judged.rule.id}`;
}

function assertProtected(file: string, installed: readonly string[]): void {
  const folder = dirname(file);
  const lines = [
    ...[`rm ${file}`, `echo x > ${file}`, `mv ${file} x`, `ln -sf x ${file}`, `chmod 000 ${file}`],
    ...[`mount --bind x ${file}`, `some-editor ${file}`, `rm -rf ${folder}`, `mv ${folder} x`],
    ...[`ln -sfn x ${folder}`, `chmod 000 ${folder}`, `mount --bind x ${folder}`, `cd ${folder} && rm *`],
  ];
  for (const command of lines) {
    const asked = said({ kind: "shell", name: "Bash", input: { command } }, installed);
    assert.equal(asked, "ask self/project-rules", command);
  }
  for (const kind of ["write", "edit"]) {
    assert.equal(
      said({ kind, name: kind, input: { file_path: file } }, installed),
      "ask self/project-rules",
      kind,
    );
  }
  for (const command of [`cat ${file}`, `ls ${folder}`, `cp ${file} x`, `mkdir -p ${folder}`]) {
    assert.equal(said({ kind: "shell", name: "Bash", input: { command } }, installed), "none", command);
  }
}
