// The plugin `swarm install opencode` writes, called as OpenCode calls it.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Place, trustedPlace } from "./harness.ts";

const config = `hooks:
  - event: tool.before
    type: command
    name: guard
    on_failure: deny
    command: |
      case "$(cat)" in
        *forbidden*) echo not that >&2; exit 2 ;;
        *rewritten*) echo '{"rewrite": {"tool_input": {"command": "ls"}}}' ;;
      esac
  - event: tool.after
    type: command
    name: mask
    command: |
      case "$(cat)" in
        *secret*) echo '{"rewrite": {"tool_output": {"output": "[masked]"}}, "context": "a secret was masked"}' ;;
      esac
  - event: prompt.submit
    type: command
    name: prompts
    command: |
      case "$(cat)" in
        *forbidden*) echo no such prompt >&2; exit 2 ;;
        *secret*) echo '{"rewrite": {"prompt": "masked"}, "context": "mind the rules"}' ;;
      esac
`;

type Hook = (input: object, output: Record<string, unknown>) => Promise<void>;
interface Plugin {
  readonly "tool.execute.before": Hook;
  readonly "tool.execute.after": Hook;
  readonly "chat.message": Hook;
  event(input: { event: object }): Promise<void>;
  dispose(): Promise<void>;
}

let loaded = 0;

/** The installed plugin, loaded as OpenCode does: all files of a project get the same context. */
async function load(
  place: Place,
  file = join(place.project, ".opencode/plugin/swarm-hooks.js"),
  context = { directory: place.project },
) {
  const copy = join(place.folder, `plugin-${++loaded}.mjs`);
  writeFileSync(copy, readFileSync(file, "utf8"));
  const { SwarmHooks } = await import(pathToFileURL(copy).href);
  return (await SwarmHooks(context)) as Plugin;
}

async function installed(t: TestContext): Promise<Place> {
  const place = await trustedPlace(t, config);
  await place.json("install", "opencode", "--scope", "project", "--yes");
  return place;
}

let calls = 0;
const ids = (tool = "bash") => ({ tool, sessionID: "ses_1", callID: `call_${++calls}` });
const run = async (plugin: Plugin, command: string) => {
  const args: Record<string, unknown> = { command, description: "d" };
  await plugin["tool.execute.before"](ids(), { args });
  return args;
};

for (const hasDaemon of [true, false]) {
  suite(`the plugin of OpenCode, ${hasDaemon ? "with" : "without"} a daemon`, () => {
    test("throws what is denied, changes arguments in place, and lets the rest pass", async (t) => {
      const place = await installed(t);
      if (hasDaemon) await place.up();
      const plugin = await load(place);
      await assert.rejects(run(plugin, "forbidden"), /^Error: not that$/);
      assert.deepEqual(await run(plugin, "rewritten"), { command: "ls" });
      assert.deepEqual(await run(plugin, "fine"), { command: "fine", description: "d" });
    });

    test("masks results and prompts, refuses prompts, and adds context to both", async (t) => {
      const place = await installed(t);
      if (hasDaemon) await place.up();
      const plugin = await load(place);
      const result = { title: "t", output: "a secret", metadata: { exit: 0 } };
      await plugin["tool.execute.after"]({ ...ids(), args: { command: "x" } }, result);
      const masked = "[masked]\n\na secret was masked";
      assert.deepEqual(result, { title: "t", output: masked, metadata: { exit: 0 } });
      const text = (words: string) => ({ type: "text", text: words });
      const parts = [{ type: "file" }, text("a secret"), text("and more")];
      const said = (words: object[]) => ({ message: { id: `msg_${++calls}` }, parts: words });
      await plugin["chat.message"]({ sessionID: "ses_1" }, said(parts));
      assert.deepEqual(parts, [{ type: "file" }, text("masked\n\nmind the rules")]);
      await assert.rejects(
        plugin["chat.message"]({ sessionID: "ses_1" }, said([text("forbidden")])),
        /^Error: no such prompt$/,
      );
    });
  });
}

test("what the bus tells is recorded, and a subagent's calls are its own", async (t) => {
  const place = await installed(t);
  await place.up();
  const plugin = await load(place);
  const tell = (type: string, properties: object) =>
    plugin.event({ event: { id: `evt_${++calls}`, type, properties } });
  await tell("session.created", { sessionID: "ses_1", info: { id: "ses_1" } });
  await tell("session.created", {
    sessionID: "ses_2",
    info: { id: "ses_2", parentID: "ses_1", agent: "general" },
  });
  await plugin["tool.execute.before"]({ ...ids(), sessionID: "ses_2" }, { args: { command: "fine" } });
  await tell("session.idle", { sessionID: "ses_2" });
  await tell("session.idle", { sessionID: "ses_1" });
  await tell("message.updated", {});
  await plugin.dispose();
  const { items } = await place.json<{ items: { event: string; session: string; agent: string | null }[] }>(
    ...["audit", "log"],
  );
  const heard = items.filter(({ session }) => session !== null);
  assert.deepEqual(heard.map(({ event, session, agent }) => [event, session, agent].join(" ")).sort(), [
    "session.start ses_1 ",
    "subagent.start ses_2 ses_2",
    "subagent.stop ses_2 ses_2",
    "tool.before ses_2 ses_2",
    "turn.end ses_1 ",
  ]);
});

test("two files of ours in one process ask once, and a guard's entry of either is in force", async (t) => {
  const place = await installed(t);
  const [own, other] = [
    join(place.project, ".opencode/plugin/swarm-hooks.js"),
    join(place.folder, "other.js"),
  ];
  writeFileSync(other, readFileSync(own, "utf8").replaceAll('"--guard",', ""));
  const context = { directory: place.project };
  const first = await load(place, other, context);
  const second = await load(place, own, context);
  assert.deepEqual(second, {});
  // Neither a socket nor a client: only a guard's entry denies.
  rmSync(join(place.home, "bin"), { recursive: true });
  await assert.rejects(
    run(first, "fine"),
    /^Error: swarm: denied, because this call could not be judged: .*ENOENT/,
  );
});

test("another project in the same process is judged too, and so is one that is loaded anew", async (t) => {
  const place = await installed(t);
  await place.up();
  const another = join(place.project, "another");
  mkdirSync(another);
  for (const directory of [place.project, place.project, another]) {
    const plugin = await load(place, undefined, { directory });
    await assert.rejects(run(plugin, "forbidden"), /^Error: not that$/);
  }
});

test("a stopped daemon is given up: the client judges the call, and the reason is told", async (t) => {
  const place = await installed(t);
  const up = await place.up();
  const plugin = await load(place);
  up.child.kill("SIGSTOP");
  try {
    await assert.rejects(run(plugin, "forbidden"), /^Error: not that$/);
    assert.deepEqual(await run(plugin, "fine"), { command: "fine", description: "d" });
    const result = { title: "t", output: "a secret", metadata: {} };
    await plugin["tool.execute.after"]({ ...ids(), args: { command: "x" } }, result);
    assert.equal(result.output, "[masked]\n\na secret was masked");
    assert.match(readFileSync(`/proc/${up.pid}/stat`, "utf8"), /\) T /);
  } finally {
    up.child.kill("SIGCONT");
  }
});

const faults: Readonly<Record<string, (place: Place, t: TestContext) => void>> = {
  "a client that is not there": ({ home }) => rmSync(join(home, "bin"), { recursive: true }),
  "a client that says nonsense": ({ home }) => {
    writeFileSync(join(home, "bin/swarm-hook"), "#!/bin/sh\ncat > /dev/null; echo nonsense\n");
    chmodSync(join(home, "bin/swarm-hook"), 0o700);
  },
  "a client that dies": ({ home }) => {
    writeFileSync(join(home, "bin/swarm-hook"), "#!/bin/sh\nexit 1\n");
  },
  "half an answer": ({ home }, t) => {
    const server = createServer((socket) => socket.once("data", () => socket.end("0 50 0\n{")));
    server.listen(join(home, "hook.sock"));
    t.after(() => void server.close());
  },
  "no answer": ({ home, project }, t) => {
    const file = join(project, ".opencode/plugin/swarm-hooks.js");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"timeoutS": 60', '"timeoutS": 0.1'));
    const server = createServer((socket) => void t.after(() => void socket.destroy()));
    server.listen(join(home, "hook.sock"));
    t.after(() => void server.close());
  },
};

for (const [fault, make] of Object.entries(faults)) {
  test(`${fault} denies where a guard is, and lets pass elsewhere`, async (t) => {
    const place = await installed(t);
    mkdirSync(place.home, { recursive: true });
    make(place, t);
    const plugin = await load(place);
    await assert.rejects(
      run(plugin, "fine"),
      /^Error: swarm: denied, because this call could not be judged: /,
    );
    const result = { title: "t", output: "fine", metadata: {} };
    await plugin["tool.execute.after"]({ ...ids(), args: {} }, result);
    assert.equal(result.output, "fine");
  });
}

test("a letter of two bytes that comes in two pieces is one letter", async (t) => {
  const place = await installed(t);
  const halves = `printf '{"args":{"command":"\\303'; sleep 0.1; printf '\\251"}}'`;
  writeFileSync(join(place.home, "bin/swarm-hook"), `#!/bin/sh\ncat > /dev/null; ${halves}\n`);
  assert.deepEqual(await run(await load(place), "e"), { command: "é" });
});

test("arguments nobody could send deny where a guard is", async (t) => {
  const plugin = await load(await installed(t));
  await assert.rejects(run(plugin, "x".repeat(1024 * 1024)), /its input is over 1 MiB/);
  const args: Record<string, unknown> = {};
  args.self = args;
  await assert.rejects(plugin["tool.execute.before"](ids(), { args }), /could not be judged: .*circular/i);
});
