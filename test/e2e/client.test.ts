import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { ClientKind } from "../../src/agents/install/client-program.ts";
import { openRuntime } from "../../src/daemon/runtime/runtime.ts";
import {
  call,
  daemon,
  denial,
  isThere,
  log,
  type Place,
  payload,
  place,
  refusal,
  tools,
} from "./client-harness.ts";

/** Copilot CLI's call, as its own file gets it, and as Claude Code's settings do: without the arguments of the entry there. */
function copilotCalls({ cwd }: Place, command: string) {
  const [timestamp, env] = [1_794_770_611_000, { COPILOT_CLI: "1", CLAUDE_PROJECT_DIR: cwd }];
  const own = { sessionId: "s1", timestamp, cwd, toolName: "bash", toolArgs: { command } };
  const claude = {
    hook_event_name: "PreToolUse",
    session_id: "s1",
    timestamp: new Date(timestamp).toISOString(),
    cwd,
    tool_name: "Bash",
    tool_input: { command },
  };
  const args = ["copilot", "--guard", "--timeout-ms", "59500"];
  return [
    [JSON.stringify(own), { args, env: { ...env, SWARM_NATIVE_EVENT: "preToolUse" } }],
    [JSON.stringify(claude), { args: [], env }],
  ] as const;
}

/** Something that listens where the daemon should, and answers like this. */
async function impostor(t: TestContext, { home }: Place, kind: ClientKind, answer: (socket: Socket) => void) {
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    answer(socket);
  });
  server.listen(join(home, kind === "curl" ? "swarm.sock" : "hook.sock"));
  await once(server, "listening");
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
}

for (const kind of ["native", "curl", "node"] as const) {
  suite(`the ${kind} client`, { skip: isThere(kind) ? false : `needs ${tools[kind].join(" or ")}` }, () => {
    test("asks the daemon, and prints its answer", async (t) => {
      const here = place(t, kind);
      await daemon(t, here);
      const denied = await call(here, payload(here.cwd, "forbidden"));
      assert.match(denied.stdout, denial);
      assert.deepEqual([denied.exitCode, denied.stderr], [0, ""]);
      assert.deepEqual(await call(here, payload(here.cwd, "ls", "t2")), {
        exitCode: 0,
        stdout: "",
        stderr: "",
      });
    });

    test("without a daemon has the same hooks evaluated, and the call recorded", async (t) => {
      const here = place(t, kind);
      const denied = await call(here, payload(here.cwd, "forbidden"));
      assert.match(denied.stdout, denial);
      assert.deepEqual(await call(here, payload(here.cwd, "ls")), { exitCode: 0, stdout: "", stderr: "" });
      const runtime = await openRuntime({ home: here.home, cwd: here.cwd, env: {}, log });
      const rows = await runtime.store.listRunEvents({ limit: 5 });
      await runtime.close();
      assert.deepEqual(
        rows.map(({ verdict }) => verdict),
        ["none", "deny"],
      );
    });

    for (const hasDaemon of [true, false])
      test(`started by Copilot CLI through two files, ${hasDaemon ? "with" : "without"} a daemon, answers in its words, and the call is judged once`, async (t) => {
        const here = place(t, kind);
        if (hasDaemon) await daemon(t, here);
        for (const command of ["forbidden", "ls"]) {
          const isDenied = command === "forbidden";
          const said = { permissionDecision: "deny", permissionDecisionReason: "not that" };
          for (const [input, agent] of copilotCalls(here, command)) {
            const { exitCode, stdout, stderr } = await call(here, input, [], agent);
            assert.deepEqual([exitCode, stdout, stderr], [0, isDenied ? JSON.stringify(said) : "", ""]);
          }
        }
        const runtime = await openRuntime({ home: here.home, cwd: here.cwd, env: {}, log });
        const rows = await runtime.store.listRunEvents({ limit: 5 });
        await runtime.close();
        assert.deepEqual(
          rows.map(({ verdict, source }) => [verdict, source]),
          [
            ["none", "copilot"],
            ["deny", "copilot"],
          ],
        );
      });

    test("started with nothing, by nobody it knows, denies", async (t) => {
      const here = place(t, kind);
      const { exitCode, stdout, stderr } = await call(here, payload(here.cwd, "ls"), [], {
        args: [],
        env: {},
      });
      assert.deepEqual([exitCode, stdout], [2, ""]);
      assert.match(stderr, /it was no agent we know that called/);
    });

    test("without a daemon a call that comes by two files at once is evaluated once, and answered twice", async (t) => {
      const here = place(t, kind);
      const command = JSON.stringify("cat >/dev/null; echo x >> calls; echo not that >&2; exit 2");
      const hook = `{ event: tool.before, type: command, name: guard, on_failure: deny, command: ${command} }`;
      writeFileSync(join(here.home, "config.yaml"), `hooks: [${hook}]\n`);
      const both = await Promise.all([1, 2].map(() => call(here, payload(here.cwd, "ls"))));
      for (const { exitCode, stdout, stderr } of both) {
        assert.deepEqual([exitCode, stderr], [0, ""]);
        assert.match(stdout, denial);
      }
      assert.equal(readFileSync(join(here.cwd, "calls"), "utf8"), "x\n");
      await call(here, payload(here.cwd, "ls", "t2"));
      assert.equal(readFileSync(join(here.cwd, "calls"), "utf8"), "x\nx\n");
    });

    const bad: readonly (readonly [string, string | Buffer])[] = [
      ["no JSON", "no json"],
      ["nothing", ""],
      ["more than 1 MiB", `{"pad":"${"x".repeat(1024 * 1024)}"}`],
      ["not UTF-8", Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ];
    test("refuses what cannot be judged where a guard is, and stays silent elsewhere", async (t) => {
      const here = place(t, kind);
      await daemon(t, here);
      for (const [what, input] of bad) {
        const { exitCode, stdout, stderr } = await call(here, input);
        assert.deepEqual([exitCode, stdout], [2, ""], what);
        assert.match(stderr, refusal, what);
        assert.deepEqual(await call(here, input, []), { exitCode: 0, stdout: "", stderr: "" }, what);
      }
    });

    test("refuses half an answer, and one that never comes", async (t) => {
      const here = place(t, kind);
      let isSilent = false;
      await impostor(t, here, kind, (socket) => {
        socket.once("data", () => {
          if (!isSilent)
            socket.end(kind === "curl" ? "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{" : "0 50 0\n{");
        });
      });
      const half = await call(here, payload(here.cwd, "forbidden"));
      assert.deepEqual([half.exitCode, half.stdout], [2, ""]);
      assert.match(half.stderr, refusal);
      isSilent = true;
      const late = await call(here, payload(here.cwd, "forbidden"), ["--guard", "--timeout-ms", "300"]);
      assert.deepEqual([late.exitCode, late.stdout], [2, ""]);
      assert.match(late.stderr, refusal);
      assert.equal((await call(here, payload(here.cwd, "forbidden"), ["--timeout-ms", "300"])).exitCode, 0);
    });
  });
}

test("a guard's client whose arguments make no sense denies", {
  skip: isThere("native") ? false : "needs cc",
}, async (t) => {
  const here = place(t, "native");
  const { exitCode, stderr } = await call(here, "{}", ["--gaurd", "--guard"]);
  assert.equal(exitCode, 2);
  assert.match(stderr, refusal);
});
