import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, suite, test } from "node:test";
import { filler } from "../base/secrets/form.ts";
import { problemOf } from "./harness.cases.ts";
import { loadConfig } from "./load.ts";

/** Files of a person that a project could name, each with the parts that no message may show. */
const foreign: Readonly<Record<string, { readonly text: string; readonly parts: readonly string[] }>> = {
  "a token": { text: `${filler(43)}\n`, parts: [filler(43)] },
  "a private key": {
    text: `-----BEGIN ${"OPENSSH PRIVATE"} KEY-----\n${filler(70)}\n-----END ${"OPENSSH PRIVATE"} KEY-----\n`,
    parts: [filler(70), "OPENSSH"],
  },
  "an .npmrc": { text: `//registry.example/:_authToken=abc${filler(9)}\n`, parts: [filler(9), "_authToken"] },
  "an .env": { text: "DB=1\nPASSWORD=hunter2-x\n", parts: ["hunter2"] },
  "an environment of a process": { text: `A=b\0SECRET_X=hunter2\0`, parts: ["hunter2"] },
  "credentials as INI": { text: `[default]\naws_secret_access_key = hunter2\n`, parts: ["hunter2"] },
  "Docker's config.json": { text: '{"auths":{"h":{"auth":"aHVudGVyMg=="}}}', parts: ["aHVudGVyMg"] },
  "a map with a known key": { text: "description: [hunter2]\nhunter2 x: 1\n", parts: ["hunter2 x"] },
  "a map of secrets": { text: `${filler(32)}: 1\n`, parts: [filler(32)] },
  "a list": { text: "- hunter2\n- b\n", parts: ["hunter2"] },
  "an alias": { text: "*hunter2\n", parts: ["hunter2"] },
  "a tag": { text: "!hunter2 x\n", parts: ["hunter2"] },
  "a block scalar": { text: "a: |hunter2\n x\n", parts: ["hunter2"] },
  "a directive": { text: "%hunter2 x\n---\na: 1\n", parts: ["hunter2"] },
  "an escape": { text: '"\\hunter2"\n', parts: ["hunter2"] },
  "a key twice": { text: `"hunter2 a": 1\n"hunter2 a": 2\n`, parts: ["hunter2 a"] },
  "a number": { text: "918273645\n", parts: ["918273645"] },
};

let root = "";
let home = "";
let project = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-foreign-")));
  [home, project] = [join(root, ".swarm"), join(root, "work", "project")];
  mkdirSync(home);
  mkdirSync(join(project, "sub"), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const load = (cwd = project) => loadConfig({ home, cwd, env: { HOME: root } });
const problem = (cwd?: string) => problemOf(() => load(cwd)).replaceAll(root, "");
const write = (file: string, text: string) => writeFileSync(join(root, file), text);
const swarmYaml = () => join(project, "swarm.yaml");
const rules = "rules: [{ id: x, behaviour: deny }]\n";

suite("a project's file that is another file of the machine", () => {
  for (const [what, { text, parts }] of Object.entries(foreign)) {
    test(`says nothing of ${what}: as a link, a hard link, and a policy that is used`, () => {
      write(".swarm/file", text);
      const said: string[] = [];
      symlinkSync(join(home, "file"), swarmYaml());
      said.push(problem());
      rmSync(swarmYaml());
      linkSync(join(home, "file"), swarmYaml());
      said.push(problem());
      rmSync(swarmYaml());
      writeFileSync(swarmYaml(), "policy: { use: [../../.swarm/file] }");
      said.push(problem());
      linkSync(join(home, "file"), join(project, "policy.yaml"));
      writeFileSync(swarmYaml(), "policy: { use: [./policy.yaml] }");
      said.push(problem());
      for (const message of said) {
        assert.notEqual(message, "no error");
        for (const part of parts) assert.ok(!message.includes(part), message);
      }
    });
  }

  test("is refused as a link out of the project, whatever it holds", () => {
    write("elsewhere.yaml", "hooks: []\n");
    symlinkSync(join(root, "elsewhere.yaml"), swarmYaml());
    const expected =
      "SWARM_CONFIG_OUTSIDE /work/project/swarm.yaml: is a link that leads out of the project, expected a file in /work/project";
    assert.equal(problem(), expected);
    rmSync(swarmYaml());
    symlinkSync("/proc/self/environ", swarmYaml());
    assert.equal(problem(), expected);
  });

  test("is refused as a policy outside, by its path and through a link, without saying whether it is there", () => {
    write("rules.yaml", rules);
    symlinkSync(root, join(project, "up"));
    const outside = (use: string) => {
      writeFileSync(swarmYaml(), `policy: { use: ${JSON.stringify(use)} }`);
      return problem();
    };
    for (const use of ["../../rules.yaml", join(root, "rules.yaml"), "~/rules.yaml", "../../nothing.yaml"]) {
      assert.match(
        outside(use),
        /^SWARM_CONFIG_INVALID .*swarm\.yaml:1:16: the policy .* leads out of the project/,
      );
    }
    assert.match(outside("./up/rules.yaml"), /^SWARM_CONFIG_OUTSIDE \/work\/project\/up\/rules\.yaml: /);
    assert.match(outside("/proc/self/environ"), /leads out of the project/);
  });

  test("is refused as a policy that a policy of the project uses", () => {
    write("rules.yaml", rules);
    writeFileSync(join(project, "policy.yaml"), "use: ../../rules.yaml\n");
    writeFileSync(swarmYaml(), "policy: ./policy.yaml");
    assert.match(
      problem(),
      /^SWARM_CONFIG_INVALID \/work\/project\/policy\.yaml:1:6: the policy .* leads out/,
    );
  });
});

suite("what is no plain file", () => {
  test("is refused: a pipe does not wait for somebody to write", () => {
    execFileSync("mkfifo", [join(project, "pipe")]);
    symlinkSync("pipe", swarmYaml());
    assert.match(problem(), /^SWARM_CONFIG_UNREADABLE .*not a file/);
    rmSync(swarmYaml());
    writeFileSync(swarmYaml(), "policy: ./pipe");
    assert.match(problem(), /^SWARM_CONFIG_UNREADABLE .*not a file/);
  });

  test("is refused: a policy of more than 1 MiB", () => {
    writeFileSync(join(project, "big.yaml"), "#".repeat(1024 * 1024 + 1));
    writeFileSync(swarmYaml(), "policy: ./big.yaml");
    assert.match(problem(), /^SWARM_CONFIG_UNREADABLE .*larger than 1048576 bytes/);
  });
});

suite("a project's file may be a link", () => {
  const ids = (cwd?: string) =>
    load(cwd)
      .policy.rules.map(({ rule }) => rule.id)
      .slice(0, 1);

  test("to another file of the project", () => {
    writeFileSync(join(project, "shared.yaml"), `policy: { ${rules.trim()} }`);
    symlinkSync("shared.yaml", swarmYaml());
    assert.deepEqual(ids(), ["x"]);
  });

  test("to a file of the repository around it, and use its policies", () => {
    mkdirSync(join(project, ".git"));
    writeFileSync(join(project, "rules.yaml"), rules);
    writeFileSync(join(project, "shared.yaml"), "policy: ../rules.yaml");
    symlinkSync("../shared.yaml", join(project, "sub", "swarm.yaml"));
    assert.deepEqual(ids(join(project, "sub")), ["x"]);
  });

  test("but not to a file of the home folder, where that is a repository", () => {
    mkdirSync(join(root, ".git"));
    write("id", "hooks: []");
    symlinkSync(join(root, "id"), swarmYaml());
    assert.match(problem(), /^SWARM_CONFIG_OUTSIDE /);
  });

  test("but not to a file of SWARM_HOME, where that lies in the project", () => {
    mkdirSync(join(project, "state"));
    writeFileSync(join(project, "state", "token"), "hooks: []");
    symlinkSync("state/token", swarmYaml());
    const inside = () => loadConfig({ home: join(project, "state"), cwd: project, env: { HOME: root } });
    assert.match(problemOf(inside), /^SWARM_CONFIG_OUTSIDE /);
  });
});

test("the user's own file may link and use files anywhere", () => {
  write("rules.yaml", rules);
  write("mine.yaml", `policy: { use: ${join(root, "rules.yaml")} }`);
  symlinkSync(join(root, "mine.yaml"), join(home, "config.yaml"));
  assert.equal(load().policy.rules[0]?.rule.id, "x");
});
