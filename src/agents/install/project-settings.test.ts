import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { SwarmError } from "../../base/errors.ts";
import { readProjectSettings } from "./project-settings.ts";

test("settings of a project are read within it, and a link out of it is neither shown nor written to", (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-settings-")));
  t.after(() => rmSync(root, { recursive: true }));
  const [project, home] = [join(root, "project"), join(root, "home")];
  for (const folder of [join(project, ".claude"), home]) mkdirSync(folder, { recursive: true });
  const file = join(project, ".claude", "settings.json");
  const read = () => readProjectSettings(file, project, { home, swarmHome: join(home, ".swarm") });
  const refused = (problem: RegExp) =>
    assert.throws(
      read,
      ({ code, message }: SwarmError) => code === "SWARM_SETTINGS_UNUSABLE" && problem.test(message),
    );

  assert.equal(read(), null);
  writeFileSync(file, "{}");
  assert.equal(read(), "{}");
  rmSync(file);
  writeFileSync(join(project, "shared.json"), "[]");
  symlinkSync("../shared.json", file);
  assert.equal(read(), "[]");
  rmSync(file);
  writeFileSync(join(home, "config.json"), "{}");
  symlinkSync(join(home, "config.json"), file);
  refused(/leads out of the project/);
  rmSync(join(project, ".claude"), { recursive: true });
  symlinkSync(home, join(project, ".claude"));
  writeFileSync(join(home, "settings.json"), "{}");
  refused(/leads out of the project/);
  rmSync(join(project, ".claude"));
  mkdirSync(join(project, ".claude"));
  execFileSync("mkfifo", [file]);
  refused(/not a file/);
});
