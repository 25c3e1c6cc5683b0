import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { parse } from "yaml";
import { bin } from "./harness.ts";

const example = join(import.meta.dirname, "../../examples/github-action");
const folder = mkdtempSync(join(tmpdir(), "swarm-action-"));
after(() => rmSync(folder, { recursive: true }));

interface Workflow {
  readonly on: string[];
  readonly jobs: { guards: { "runs-on": string; steps: { uses?: string; run?: string }[] } };
}
const workflow = parse(readFileSync(join(example, "guards.yml"), "utf8")) as Workflow;
const { steps } = workflow.jobs.guards;

/** Runs what the workflow runs, as GitHub does (`bash -e`), in a copy of the example. */
function runOn(name: string, change?: (project: string) => void) {
  const home = join(folder, name);
  const project = join(home, "project");
  cpSync(example, project, { recursive: true });
  change?.(project);
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/swarm"), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(home, "bin/swarm"), 0o755);
  const env = { PATH: `${join(home, "bin")}:/usr/bin:/bin`, HOME: home, SWARM_HOME: join(home, ".swarm") };
  for (const { run } of steps) {
    if (run === undefined || run.startsWith("npm install")) continue;
    const ended = spawnSync("bash", ["-e", "-c", run], { cwd: project, env, encoding: "utf8" });
    if (ended.status !== 0) return { failed: run.split("\n")[0], printed: ended.stdout + ended.stderr };
  }
  return { failed: null, printed: "" };
}

suite("the example of a GitHub workflow", { skip: process.platform === "win32" }, () => {
  test("has the steps a workflow has, and installs what is tried here", () => {
    assert.deepEqual(
      [workflow.on, workflow.jobs.guards["runs-on"]],
      [["push", "pull_request"], "ubuntu-24.04"],
    );
    for (const { uses, run } of steps) assert.ok((uses === undefined) !== (run === undefined));
    assert.ok(steps.some(({ run }) => run === "npm install --global swarm-hooks"));
  });

  test("passes for a project whose guards hold", () => {
    assert.deepEqual(runOn("whole"), { failed: null, printed: "" });
  });

  test("fails when the policy, or a hook, no longer denies", () => {
    const edit = (name: string, from: string, to: string) => (project: string) => {
      const text = readFileSync(join(project, name), "utf8");
      assert.ok(text.includes(from));
      writeFileSync(join(project, name), text.replace(from, to));
    };
    const weaker = runOn("weaker", edit("swarm.yaml", "git push -f, git push --force", "git push --mirror"));
    assert.equal(weaker.failed, "swarm policy test swarm.yaml");
    const gone = runOn("gone", edit("no-env.sh", "exit 2", "exit 0"));
    assert.match(gone.failed ?? "", /^if swarm check "git push/);
  });
});
