import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { loadPolicyFile } from "../../../config/policy/load-policy.ts";
import { said, shell } from "../harness.cases.ts";
import { ourFolders } from "./own-decisions.ts";
import { placeIn } from "../judge.ts";

// With its one rule come those that protect every policy.
const file = join(import.meta.dirname, "../../../../test/policies/self.yaml");

suite("links on the disk, and a SWARM_HOME that is not called .swarm", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-own-")));
  after(() => rmSync(folder, { recursive: true }));
  const [home, swarmHome, project] = ["home", "state", "project"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const name of [home, swarmHome, project, join(home, "tools", "bin")])
    mkdirSync(name, { recursive: true });
  writeFileSync(join(swarmHome, "token"), "");
  writeFileSync(join(home, "tools", "bin", "swarm"), "");
  symlinkSync(swarmHome, join(project, "notes"));
  symlinkSync(folder, join(project, "up"));
  symlinkSync(join(home, "tools", "bin", "swarm"), join(project, "s"));
  // A checkout of ours under another name, and a program that only has a file of the same name.
  for (const name of [...ourFolders, "dist/cli"]) mkdirSync(join(folder, "tool", name), { recursive: true });
  for (const name of ["tool", "other"]) {
    mkdirSync(join(folder, name, "dist/cli"), { recursive: true });
    writeFileSync(join(folder, name, "dist/cli/main.js"), "");
  }
  mkdirSync(join(project, ".claude"));
  writeFileSync(join(project, ".claude", "settings.json"), "{}");
  symlinkSync(join(project, ".claude"), join(project, "c"));
  symlinkSync(join(project, ".claude", "settings.local.json"), join(project, "new"));
  mkdirSync(join(swarmHome, "reports"));
  symlinkSync(join(swarmHome, "reports"), join(project, "r"));
  const { policy } = loadPolicyFile(file, { home, swarmHome });
  const place = placeIn(project, home);
  const judged = (line: string) => said(policy?.judge(shell(line), place) ?? null);

  for (const [line, expected] of [
    ["cat notes/token", "deny self/secrets"],
    ["cat $SWARM_HOME/token", "deny self/secrets"],
    [`cat ${swarmHome}/token`, "deny self/secrets"],
    [`cat ${folder}/sta*/t*`, "deny self/secrets"],
    ["cat r/../token", "deny self/secrets"],
    ["cat ./r/./../../state/token", "deny self/secrets"],
    ["cat r/x", "none"],
    ["cp -rL notes x", "deny self/folder"],
    ["cp -r up/state x", "deny self/folder"],
    [`tar c ${swarmHome}`, "deny self/folder"],
    [`mv ${swarmHome} x`, "deny self/files"],
    ["grep -r KEY up/", "ask self/folder-around"],
    ["node s trust --yes", "deny self/decisions"],
    ["./s approvals approve apr_1", "deny self/decisions"],
    ["./s login", "deny self/decisions"],
    [`node ${folder}/tool/dist/cli/main.js trust --yes`, "deny self/decisions"],
    [`node ${folder}/other/dist/cli/main.js trust --yes`, "none"],
    ["rm c/settings.json", "ask self/project-rules"],
    ["some-editor c/settings.json", "ask self/project-rules"],
    ["echo {} > new", "ask self/project-rules"],
    ["tee new", "ask self/project-rules"],
    ["cat c/settings.json", "none"],
    ["ls notes", "none"],
    ["cat notes/config.yaml", "none"],
    ["node s status", "none"],
    ["cp -r src x", "none"],
  ] as const) {
    test(`${line.replaceAll(folder, "FOLDER")} is judged ${expected}`, () =>
      assert.equal(judged(line), expected));
  }
});

test("what this package is known by is in the repository, and in what is published", () => {
  const root = join(import.meta.dirname, "../../../..");
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
  for (const name of ourFolders) {
    assert.ok(existsSync(join(root, name)), name);
    assert.ok(files.includes(name.split("/")[0] ?? ""), name);
  }
});
