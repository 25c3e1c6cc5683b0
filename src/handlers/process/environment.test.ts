import assert from "node:assert/strict";
import { test } from "node:test";
import { hookEnvironment } from "./environment.ts";
import { Bench } from "./harness.cases.ts";

const wanted = {
  PATH: "/usr/bin:/bin",
  HOME: "/home/someone",
  USER: "someone",
  LOGNAME: "someone",
  SHELL: "/bin/zsh",
  LANG: "en_GB.UTF-8",
  LC_ALL: "C",
  LC_CTYPE: "C",
  TZ: "Europe/Vienna",
  TMPDIR: "/var/tmp",
  TERM: "xterm",
  SWARM_RUN: "run_outer",
};

const unwanted = {
  LD_PRELOAD: "/tmp/evil.so",
  LD_LIBRARY_PATH: "/tmp",
  LD_AUDIT: "/tmp/evil.so",
  DYLD_INSERT_LIBRARIES: "/tmp/evil.dylib",
  NODE_OPTIONS: "--require /tmp/evil.cjs",
  NODE_PATH: "/tmp",
  NODE_EXTRA_CA_CERTS: "/tmp/evil.pem",
  BASH_ENV: "/tmp/evil.sh",
  ENV: "/tmp/evil.sh",
  "BASH_FUNC_cat%%": "() { evil; }",
  PS4: "$(evil)",
  IFS: "/",
  PYTHONSTARTUP: "/tmp/evil.py",
  PYTHONPATH: "/tmp",
  PERL5OPT: "-Mevil",
  RUBYOPT: "-revil",
  GIT_SSH_COMMAND: "evil",
  GIT_CONFIG_COUNT: "1",
  SWARM_TOKEN: "secret",
  SWARM_DATABASE_URL: "postgres://secret",
  AWS_SECRET_ACCESS_KEY: "secret",
  GITHUB_TOKEN: "secret",
  SSH_AUTH_SOCK: "/tmp/agent",
  LC_: "1",
  LC_evil: "1",
  path: "/tmp",
  XPATH: "/tmp",
};

test("what a program needs is passed, and nothing else", () => {
  assert.deepEqual(hookEnvironment({ ...wanted, ...unwanted }, {}), wanted);
});

test("what the caller adds is passed as it is and wins", () => {
  const extra = { CLAUDE_PROJECT_DIR: "/project", PATH: "/opt/bin" };
  assert.deepEqual(hookEnvironment({ HOME: "/home/someone", PATH: "/usr/bin" }, extra), {
    HOME: "/home/someone",
    ...extra,
  });
});

test("an unset variable is not passed as the word undefined", () => {
  assert.deepEqual(hookEnvironment({ HOME: undefined, TERM: "" }, {}), { TERM: "" });
});

test("a program started with it sees none of our own secrets", async (t) => {
  const ours = { ...process.env, ...unwanted, PATH: process.env.PATH };
  const { stdout } = await new Bench(t).run(["/usr/bin/env"], { env: hookEnvironment(ours, { EXTRA: "1" }) });
  const seen = stdout.split("\n").map((line) => line.split("=", 1)[0] ?? "");
  assert.deepEqual(
    seen.filter((name) => Object.hasOwn(unwanted, name)),
    [],
  );
  assert.ok(seen.includes("EXTRA") && seen.includes("PATH") && seen.includes("SWARM_RUN"), stdout);
});
