// An approved guard that disappears, by the ways a repository makes it disappear.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { call, cli, daemon, isThere, type Place, payload, place } from "./client-harness.ts";

const guard = `hooks:
  - { event: tool.before, type: command, name: keeper, mode: guard, on_failure: deny, command: "cat > /dev/null" }
`;

class Repository {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
    writeFileSync(join(place.home, "config.yaml"), "");
    this.git("init", "-q", "-b", "plain");
    this.git("commit", "-q", "--allow-empty", "-m", "nothing");
    this.git("checkout", "-q", "-b", "guarded");
    this.write("swarm.yaml", guard);
    this.write("sub/file", "");
    this.git("add", "-A");
    this.git("commit", "-q", "-m", "guard");
  }

  git(...args: string[]): void {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...identity, ...args], { cwd: this.place.cwd, env: { PATH: process.env.PATH } });
  }

  /** Not waited for by this thread: the daemon it asks is in this process. */
  async swarm(folder: string, ...args: string[]): Promise<string> {
    const { home, cwd } = this.place;
    const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: home };
    const options = { cwd: join(cwd, folder), env, encoding: "utf8" } as const;
    return (await promisify(execFile)(process.execPath, [cli, ...args], options)).stdout;
  }

  write(name: string, text: string): void {
    const { cwd } = this.place;
    if (name.includes("/")) mkdirSync(join(cwd, "sub"), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }

  /** What an agent in this folder is told: null when it may go on. */
  #calls = 0;
  async denial(folder = "."): Promise<string | null> {
    const { cwd } = this.place;
    const input = payload(join(cwd, folder), "ls", `t${++this.#calls}`);
    const { exitCode, stdout, stderr } = await call(this.place, input);
    assert.equal(exitCode, 0, stderr);
    return stdout === "" ? null : JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason;
  }
}

const gone = /^the guard keeper is gone: approved in .*swarm\.yaml/;
const ways: Readonly<Record<string, (repository: Repository) => void>> = {
  "a checkout of a branch without the file": (repository) => repository.git("checkout", "-q", "plain"),
  "git rm": (repository) => repository.git("rm", "-q", "swarm.yaml"),
  "git mv": (repository) => repository.git("mv", "swarm.yaml", "other.yaml"),
  "git stash of a file that was emptied, and its return": (repository) => {
    repository.write("swarm.yaml", "");
    repository.git("stash", "-q");
    repository.git("stash", "pop", "-q");
  },
  "an emptied file": (repository) => repository.write("swarm.yaml", ""),
  "hooks: []": (repository) => repository.write("swarm.yaml", "hooks: []\n"),
  "another hook in its place": (repository) =>
    repository.write("swarm.yaml", guard.replace("keeper", "other").replace("deny", "allow")),
};

const needs = { skip: isThere("node") ? false : "needs node" };

for (const hasDaemon of [true, false])
  suite(`an approved guard, ${hasDaemon ? "with" : "without"} a daemon`, needs, () => {
    const repositoryOf = async (t: TestContext) => {
      const here = place(t, "node");
      const repository = new Repository(here);
      if (hasDaemon) await daemon(t, here);
      await repository.swarm(".", "trust", "--yes");
      // Twice, so that what is known without looking is known by then.
      for (let calls = 0; calls < 2; calls++) assert.equal(await repository.denial(), null);
      return repository;
    };

    for (const [way, take] of Object.entries(ways))
      test(`is missed after ${way}, and back when the file is`, async (t) => {
        const repository = await repositoryOf(t);
        take(repository);
        assert.match((await repository.denial()) ?? "nothing", gone);
        repository.git("checkout", "-q", "-f", "guarded");
        repository.git("reset", "-q", "--hard");
        assert.equal(await repository.denial(), null);
      });

    test("holds below a nearer file that is empty, and is decided about from there", async (t) => {
      const repository = await repositoryOf(t);
      for (const nearer of ["", "hooks: []\n"]) {
        repository.write("sub/swarm.yaml", nearer);
        assert.equal(await repository.denial("sub"), null);
        repository.git("rm", "-q", "swarm.yaml");
        assert.match((await repository.denial("sub")) ?? "nothing", gone);
        repository.git("reset", "-q", "--hard");
      }
      repository.git("rm", "-q", "swarm.yaml");
      assert.match(await repository.swarm("sub", "trust", "--show"), /keeper/);
      assert.match(await repository.swarm("sub", "trust", "--yes"), /^accepted: keeper of .*swarm\.yaml/m);
      assert.equal(await repository.denial("sub"), null);
      assert.equal(await repository.denial(), null);
    });

    test("that a person has accepted to be gone is not missed", async (t) => {
      const repository = await repositoryOf(t);
      repository.git("checkout", "-q", "plain");
      assert.match((await repository.denial()) ?? "nothing", gone);
      await repository.swarm(".", "trust", "--yes");
      assert.equal(await repository.denial(), null);
    });
  });
