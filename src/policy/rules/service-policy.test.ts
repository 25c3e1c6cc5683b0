import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { openRuntime } from "../../daemon/runtime/runtime.ts";

/** A home with this configuration and an empty project. */
async function place(t: TestContext, config: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-rules-")));
  const [home, cwd] = [join(folder, "home"), join(folder, "project")];
  for (const made of [home, cwd]) mkdirSync(made);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("home/config.yaml", config);
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const runtime = await openRuntime({ home, cwd, env: { ...process.env, HOME: join(folder, "user") }, log });
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const call = (tool_name: string, tool_input: object, origin: object = {}) =>
    runtime.events.emit({
      event: "tool.before",
      data: { tool_name, tool_input },
      origin: { cwd, ...origin },
    });
  const shell = (command: string) => call("Bash", { command });
  const verdict = async (command: string) => (await shell(command)).decision.verdict;
  return { folder, home, cwd, runtime, write, call, shell, verdict, warnings };
}

const deny = (when: string, id = "no") => `{ id: ${id}, behaviour: deny, when: ${when}, reason: not here }`;
const policy = (...rules: string[]) =>
  `policy:\n  rules:\n${rules.map((rule) => `    - ${rule}\n`).join("")}`;

suite("permission rules", () => {
  test("decide a tool call, are named, and stand in the record with their digest", async (t) => {
    const { shell, runtime } = await place(t, policy(deny("{ command: git push -f }")));
    const { decision, handlers, result } = await shell("cd x && git push -uf");
    assert.deepEqual(
      [decision.verdict, decision.hook, decision.reason],
      ["deny", "policy:no", "not here (git push -uf) [no]"],
    );
    assert.equal(result?.hook, "policy:no");
    assert.deepEqual(
      handlers.map(({ name, kind, mode, status, verdict }) => [name, kind, mode, status, verdict]),
      [["policy", "policy", "guard", "denied", "deny"]],
    );
    const [row] = await runtime.store.listRunEvents({ limit: 1 });
    const digest = runtime.projects.at().inForce.rules?.policy.digest;
    assert.deepEqual([row?.hook, row?.hook_digest, row?.handlers[0]?.digest], ["policy:no", digest, digest]);
  });

  test("judge what is left after all rewrites", async (t) => {
    const rewriting = `hooks:
  - event: tool.before
    type: command
    name: rewriter
    command: 'echo "{\\"rewrite\\": {\\"tool_input\\": {\\"command\\": \\"git push -f\\"}}}"'
`;
    const { shell } = await place(t, rewriting + policy(deny("{ command: git push -f }")));
    assert.equal((await shell("ls")).decision.hook, "policy:no");
  });

  test("that allow never override the denial of a hook, nor one of theirs", async (t) => {
    const denying =
      "hooks:\n  - { event: tool.before, type: command, name: guard, mode: guard, command: 'exit 2' }\n";
    const allow = "{ id: yes, behaviour: allow, when: { command: ls } }";
    const { shell } = await place(t, denying + policy(allow));
    assert.equal((await shell("ls")).decision.hook, "guard");
    const other = await place(t, policy(allow, deny("{ tool: Bash }")));
    assert.equal((await other.shell("ls")).decision.hook, "policy:no");
    const alone = await place(t, policy(allow));
    assert.deepEqual(
      [(await alone.shell("ls")).decision.verdict, (await alone.shell("ls; x")).decision.verdict],
      ["allow", "none"],
    );
  });

  test("judge jobs, runs and merges by their events", async (t) => {
    const { runtime, cwd } = await place(
      t,
      policy(
        deny("{ event: cron.fired, kind: custom }", "cron"),
        deny("{ event: merge.started, name: main }", "merge"),
        "{ id: batch, behaviour: ask, when: { event: batch.started } }",
      ),
    );
    const by = async (event: "cron.fired" | "merge.started", data: object) =>
      (await runtime.events.emit({ event, data, origin: { cwd } })).decision.hook;
    assert.equal(await by("cron.fired", { name: "n", job_id: "j", task: "custom" }), "policy:cron");
    assert.equal(await by("cron.fired", { name: "n", job_id: "j", task: "retrain" }), null);
    assert.equal(await by("merge.started", { branch: "main" }), "policy:merge");
  });

  test("can be asked without an event", async (t) => {
    const { runtime } = await place(t, policy(deny("{ event: plugin.command, detect: runs_download }")));
    const { rules } = runtime.projects.at().inForce;
    const judged = rules?.judge({ event: "plugin.command", name: "acme", input: { command: "curl x | sh" } });
    assert.deepEqual([judged?.behaviour, judged?.rule.id], ["deny", "no"]);
    assert.equal(rules?.judge({ event: "plugin.command", name: "acme", input: { command: "ls" } }), null);
  });

  test("see through links, on the disk as it is", async (t) => {
    const { call, folder } = await place(t, policy(deny("{ path: ~/.ssh/** }")));
    mkdirSync(join(folder, "user/.ssh"), { recursive: true });
    symlinkSync(join(folder, "user/.ssh"), join(folder, "project/docs"));
    for (const file_path of ["docs/new-key", "./docs/../docs/id", join(folder, "project/docs/x")]) {
      assert.equal((await call("Write", { file_path })).decision.verdict, "deny", file_path);
    }
    assert.equal((await call("Write", { file_path: "other/x" })).decision.verdict, "none");
    assert.equal((await call("Bash", { command: "cat docs/id" })).decision.verdict, "deny");
  });

  test("know the agent and its role", async (t) => {
    const { call, runtime, cwd } = await place(
      t,
      policy(deny("{ agent: codex }", "agent"), deny("{ role: intern }", "role")),
    );
    assert.equal((await call("Read", {}, { source: "codex" })).decision.hook, "policy:agent");
    assert.equal((await call("Read", {}, { source: "claude-code" })).decision.hook, null);
    const data = { tool_name: "Read", tool_input: {}, role: "intern" };
    assert.equal(
      (await runtime.events.emit({ event: "tool.before", data, origin: { cwd } })).decision.hook,
      "policy:role",
    );
  });

  test("that there are none of cost no handler", async (t) => {
    const { shell } = await place(t, "hooks: []\n");
    assert.deepEqual((await shell("ls")).handlers, []);
  });

  test("stay with hooks_enabled: false, which is about hooks", async (t) => {
    const { verdict } = await place(t, `hooks_enabled: false\n${policy(deny("{ command: rm }"))}`);
    assert.deepEqual([await verdict("ls"), await verdict("rm x")], ["none", "deny"]);
  });
});

suite("editing a policy", () => {
  test("takes effect on the next event, in the user's file and in files it uses", async (t) => {
    const { verdict, write } = await place(t, "# nothing yet\n");
    assert.equal(await verdict("ls"), "none");
    write("home/p.yaml", `rules: [${deny("{}")}]`);
    write("home/config.yaml", "policy: ./p.yaml\n");
    assert.equal(await verdict("ls"), "deny");
    write("home/p.yaml", `rules: [${deny("{ command: rm }")}]`);
    assert.deepEqual([await verdict("ls"), await verdict("rm x")], ["none", "deny"]);
  });

  test("with an error keeps the old rules, loudly, until it is mended", async (t) => {
    const { verdict, write, warnings, runtime, cwd } = await place(t, "# nothing yet\n");
    write("home/p.yaml", `rules: [${deny("{ command: rm }")}]`);
    write("home/config.yaml", "policy: ./p.yaml\n");
    assert.equal(await verdict("rm x"), "deny");
    write("home/p.yaml", "rules: [{ id: no, behaviour: dny }]");
    assert.deepEqual([await verdict("rm x"), await verdict("ls")], ["deny", "none"]);
    assert.match(
      warnings.join("\n"),
      /p\.yaml:1:30: behaviour is "dny", expected allow or deny or ask, did you mean "deny"\?/,
    );
    const [changed] = await runtime.store.listRunEvents({ limit: 1, event: "config.changed" });
    const payload = await runtime.store.findPayload(changed?.seq ?? 0);
    assert.match(payload?.before ?? "", /behaviour is \\"dny\\"/);
    assert.match(runtime.projects.at(cwd).problem?.message ?? "", /dny/);
    write("home/p.yaml", `rules: [${deny("{ command: ls }")}]`);
    assert.deepEqual([await verdict("rm x"), await verdict("ls")], ["none", "deny"]);
    assert.equal(runtime.projects.at(cwd).problem, null);
  });

  test("of a file that is named for the first time and broken is seen once it is mended", async (t) => {
    const { verdict, write } = await place(t, policy(deny("{ command: rm }")));
    assert.equal(await verdict("rm x"), "deny");
    write("home/q.yaml", "rules: 7");
    write("home/config.yaml", "policy: ./q.yaml\n");
    assert.equal(await verdict("rm x"), "deny");
    write("home/q.yaml", `rules: [${deny("{ command: ls }")}]`);
    assert.deepEqual([await verdict("rm x"), await verdict("ls")], ["none", "deny"]);
  });

  test("of a project that tries to allow is an error, and denies nothing less", async (t) => {
    const { verdict, write } = await place(t, policy(deny("{ command: rm }")));
    assert.equal(await verdict("rm x"), "deny");
    write("project/swarm.yaml", "policy: { rules: [{ id: a, behaviour: allow, when: { tool: Bash } }] }");
    assert.deepEqual([await verdict("rm x"), await verdict("ls")], ["deny", "none"]);
    write("project/swarm.yaml", `policy: { rules: [${deny("{ command: ls }", "theirs")}] }`);
    assert.deepEqual([await verdict("rm x"), await verdict("ls")], ["deny", "deny"]);
  });
});
