import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, suite, test } from "node:test";
import { filler } from "../base/secrets/form.ts";
import { problemOf } from "./harness.cases.ts";
import { loadConfig } from "./load.ts";
import { loadPolicyFile } from "./policy/load-policy.ts";

/** Files of a person that a project could name. `hunter2` stands for what no message may show. */
const foreign: Readonly<Record<string, string>> = {
  "a token": `${filler(30)}hunter2${filler(6)}\n`,
  "a private key": `-----BEGIN hunter2 KEY-----\n${filler(60)}hunter2\n-----END hunter2 KEY-----\n`,
  "an .npmrc": "//registry.example/:_authToken=hunter2\nhunter2=1\n",
  "an .env": "DB=1\nPASSWORD=hunter2-x\n",
  "an environment of a process": "A=b\0SECRET_X=hunter2\0",
  "credentials as INI": "[default]\naws_secret_access_key = hunter2\n",
  "Docker's config.json": '{"auths":{"hunter2":{"auth":"hunter2"}}}',
  "a map of secrets": "hunter2: 1\nother: hunter2\n",
  "a list": "- hunter2\n- b\n",
  "an alias": "*hunter2\n",
  "a tag": "!hunter2 x\n",
  "a tag on a list": "!hunter2 [x]\n",
  "a block scalar": "a: |hunter2\n x\n",
  "a directive": "%hunter2 x\n---\na: 1\n",
  "an escape": '"\\hunter2"\n',
  "a key twice": '"hunter2 a": 1\n"hunter2 a": 2\n',
  "a quote that is not closed": '"hunter2: 1\n',
  "broken JSON": '{"hunter2": hunter2: }\n',
  "an indicator": "a: hunter2\n - hunter2 }]\n",
};

/** The same with keys of ours beside: only the place says that they are somebody else's. */
const lookalikes: Readonly<Record<string, string>> = {
  "a map with a known key": "description: [hunter2]\nhunter2: 1\n",
  "a wrong value": "hooks: hunter2\n",
  "a wrong hook": "hooks: [{ event: hunter2, type: hunter2 }]\n",
  "a variable": "hooks: [{ event: Stop, type: http, url: 'https://$" + "{hunter2}/' }]\n",
  "a policy's name": "policy: hunter2\n",
  "a pipeline": "pipelines: { hunter2 x: 1 }\n",
  "a job": "cron: [{ name: a, schedule: hunter2 }]\n",
  "a server": "mcp_servers: { a: { command: hunter2 hunter2 } }\n",
  "a rule": "rules: [{ id: a, behaviour: hunter2 }]\n",
  "a key of a rule": "rules: [{ hunter2: hunter2 }]\n",
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
const used = (use: string) => {
  writeFileSync(swarmYaml(), `policy: { use: ${JSON.stringify(use)} }`);
  return problem();
};
const rules = "rules: [{ id: x, behaviour: deny }]\n";

suite("an error says nothing of a file that is not a configuration", () => {
  for (const [what, text] of Object.entries(foreign)) {
    test(`${what}: as the file itself, a link, a hard link, a policy, and a policy of the user's`, () => {
      write(".swarm/file", text);
      write("work/project/plain.yaml", text);
      const said: string[] = [];
      for (const place of [
        () => symlinkSync(join(home, "file"), swarmYaml()),
        () => symlinkSync("plain.yaml", swarmYaml()),
        () => linkSync(join(home, "file"), swarmYaml()),
        () => writeFileSync(swarmYaml(), text),
      ]) {
        place();
        said.push(problem());
        rmSync(swarmYaml());
      }
      said.push(used("../../.swarm/file"), used("./plain.yaml"));
      linkSync(join(home, "file"), join(project, "policy.yaml"));
      said.push(used("./policy.yaml"));
      rmSync(swarmYaml());
      write(".swarm/config.yaml", "policy: { use: ./file }\n");
      said.push(problem());
      const names = { home: root, swarmHome: home };
      said.push(problemOf(() => loadPolicyFile(join(home, "file"), names)));
      for (const message of said) {
        assert.notEqual(message, "no error");
        assert.doesNotMatch(message, /hunter2/);
      }
    });
  }

  for (const [what, text] of Object.entries(lookalikes)) {
    test(`nor of ${what} in a file that a link leads to, or that has a second name`, () => {
      write("work/project/plain.yaml", text);
      const said: string[] = [];
      symlinkSync("plain.yaml", swarmYaml());
      said.push(problem());
      rmSync(swarmYaml());
      linkSync(join(project, "plain.yaml"), swarmYaml());
      said.push(problem());
      rmSync(swarmYaml());
      said.push(used("./plain.yaml")); // it has one name again, but may be no policy
      if (text.startsWith("rules")) said.pop();
      symlinkSync("plain.yaml", join(project, "link.yaml"));
      said.push(used("./link.yaml"));
      for (const message of said) {
        assert.match(message, /^SWARM_CONFIG_INVALID /);
        assert.doesNotMatch(message, /hunter2/);
      }
    });
  }

  test("nor of what was passed over in a file that a link leads to", () => {
    const hook = { type: "command", command: "x", if: "hunter2", hunter2: 1 };
    const text = JSON.stringify({ hooks: { PreToolUse: [{ hunter2: 1, hooks: [hook] }] } });
    write("work/project/plain.yaml", text);
    symlinkSync("plain.yaml", swarmYaml());
    const { skipped } = load();
    assert.ok(skipped.length > 0);
    assert.doesNotMatch(JSON.stringify(skipped), /hunter2/);
  });

  test("of a file that is plainly the project's, it quotes what is wrong, without secrets", () => {
    const token = `ghp_${filler(36)}`;
    writeFileSync(swarmYaml(), `hooks: "x ${token}"\n`);
    assert.match(problem(), /1:8: hooks is "x \[redacted\]", expected a list or a map$/);
    writeFileSync(swarmYaml(), `hooks: "${"x ".repeat(30)}${token}"\n`);
    assert.doesNotMatch(problem(), /ghp_/);
  });
});

suite("a project's file that lies elsewhere", () => {
  test("is refused as a link, whatever it holds and whether it is there", () => {
    write("elsewhere.yaml", "hooks: []\n");
    const expected =
      "SWARM_CONFIG_OUTSIDE /work/project/swarm.yaml: leads out of the project, expected a file in it";
    for (const target of [
      join(root, "elsewhere.yaml"),
      "../../elsewhere.yaml",
      "/proc/self/environ",
      "/dev/zero",
    ]) {
      symlinkSync(target, swarmYaml());
      assert.equal(problem(), expected);
      rmSync(swarmYaml());
    }
  });

  test("is refused as a policy, by its path and through links, without a word on whether it is there", () => {
    write("rules.yaml", rules);
    symlinkSync(root, join(project, "up"));
    const outside = ["../../rules.yaml", join(root, "rules.yaml"), "~/rules.yaml", "../../nothing.yaml"];
    for (const use of [...outside, "./up/rules.yaml", "/proc/self/environ", "/dev/zero"])
      assert.match(used(use), /^SWARM_CONFIG_OUTSIDE .*: leads out of the project/, use);
  });

  test("is refused as a policy that a policy of the project uses", () => {
    write("rules.yaml", rules);
    writeFileSync(join(project, "policy.yaml"), "use: ../../rules.yaml\n");
    writeFileSync(swarmYaml(), "policy: ./policy.yaml");
    assert.match(problem(), /^SWARM_CONFIG_OUTSIDE \/rules\.yaml: /);
  });

  test("is refused above the nearest file, where guards of it were approved", () => {
    writeFileSync(join(project, "sub", "swarm.yaml"), "hooks: []\n");
    const below = () =>
      loadConfig({
        home,
        cwd: join(project, "sub"),
        env: { HOME: root },
        approvedGuards: (file) => new Set(file === swarmYaml() ? ["guard"] : []),
      });
    for (const target of ["/proc/self/environ", join(root, "elsewhere.yaml")]) {
      write("elsewhere.yaml", "hooks: []\n");
      symlinkSync(target, swarmYaml());
      assert.match(problemOf(below), /^SWARM_CONFIG_OUTSIDE /);
      rmSync(swarmYaml());
    }
    write("work/project/plain.yaml", "hooks: hunter2\n");
    symlinkSync("plain.yaml", swarmYaml());
    assert.match(problemOf(below), /^SWARM_CONFIG_INVALID (?!.*hunter2)/);
  });

  test("is refused where it is a file of SWARM_HOME, though that lies in the project", () => {
    mkdirSync(join(project, "state"));
    writeFileSync(join(project, "state", "token"), rules);
    const inside = () => loadConfig({ home: join(project, "state"), cwd: project, env: { HOME: root } });
    symlinkSync("state/token", swarmYaml());
    assert.match(problemOf(inside), /^SWARM_CONFIG_OUTSIDE /);
    rmSync(swarmYaml());
    writeFileSync(swarmYaml(), "policy: ./state/token");
    assert.match(problemOf(inside), /^SWARM_CONFIG_OUTSIDE /);
  });

  test("is refused where it is a file of the home folder, though that is a repository", () => {
    mkdirSync(join(root, ".git"));
    write("id", "hooks: []");
    symlinkSync(join(root, "id"), swarmYaml());
    assert.match(problem(), /^SWARM_CONFIG_OUTSIDE /);
  });
});

suite("what is no plain file", () => {
  test("is refused: a pipe, which nobody waits for, and a folder", () => {
    execFileSync("mkfifo", [join(project, "pipe")]);
    mkdirSync(join(project, "folder"));
    for (const name of ["pipe", "folder"]) {
      symlinkSync(name, swarmYaml());
      assert.match(problem(), /^SWARM_CONFIG_UNREADABLE .*not a file/);
      rmSync(swarmYaml());
      assert.match(used(`./${name}`), /^SWARM_CONFIG_UNREADABLE .*not a file/);
      rmSync(swarmYaml());
    }
  });

  test("is refused: a policy of more than 1 MiB", () => {
    writeFileSync(join(project, "big.yaml"), "#".repeat(1024 * 1024 + 1));
    assert.match(used("./big.yaml"), /^SWARM_CONFIG_UNREADABLE .*larger than 1048576 bytes/);
  });
});

suite("a project's file may be a link", () => {
  const firstRule = (cwd?: string) => load(cwd).policy.rules[0]?.rule.id;

  test("to another file of the project", () => {
    writeFileSync(join(project, "shared.yaml"), `policy: { ${rules.trim()} }`);
    symlinkSync("shared.yaml", swarmYaml());
    assert.equal(firstRule(), "x");
  });

  test("to a file of the repository around it, and use its policies", () => {
    mkdirSync(join(project, ".git"));
    writeFileSync(join(project, "rules.yaml"), rules);
    writeFileSync(join(project, "shared.yaml"), "policy: ../rules.yaml");
    symlinkSync("../shared.yaml", join(project, "sub", "swarm.yaml"));
    assert.equal(firstRule(join(project, "sub")), "x");
  });
});

test("the user's own file may link and use files anywhere", () => {
  write("rules.yaml", rules);
  write("mine.yaml", `policy: { use: ${join(root, "rules.yaml")} }`);
  symlinkSync(join(root, "mine.yaml"), join(home, "config.yaml"));
  assert.equal(load().policy.rules[0]?.rule.id, "x");
});
