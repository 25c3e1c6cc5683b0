import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { adapters } from "../adapters/index.ts";
import type { ClientProgram } from "./client-program.ts";
import { entryFor, wantedEntries } from "./entries.ts";
import type { NeedsByEvent } from "./entry-needs.ts";

const client: ClientProgram = { kind: "native", argv: ["/home/u/.swarm/bin/swarm-hook"], note: null };
const claude = adapters["claude-code"];
const { codex } = adapters;

const guarded: NeedsByEvent = { "tool.before": { guard: true, timeout_s: 60 } };
const slow: NeedsByEvent = { "turn.end": { guard: false, timeout_s: 601 } };

const argvOf = (native: string, needs: NeedsByEvent, adapter: typeof claude | typeof codex = claude) =>
  wantedEntries(adapter, client, needs)
    .find((entry) => entry.native === native)
    ?.argv.slice(1);

suite("the entry for an event", () => {
  test("denies what cannot be judged exactly where a guard is", () => {
    assert.deepEqual(argvOf("PreToolUse", guarded), ["claude-code", "--guard", "--timeout-ms", "59500"]);
    assert.deepEqual(argvOf("PreToolUse", {}), ["claude-code", "--timeout-ms", "59500"]);
    assert.deepEqual(argvOf("PostToolUse", guarded), ["claude-code", "--timeout-ms", "59500"]);
  });

  test("of an agent that distrusts changed entries denies from the start where a tool would run", () => {
    assert.ok(argvOf("PreToolUse", {}, codex)?.includes("--guard"));
    assert.ok(argvOf("PermissionRequest", {}, codex)?.includes("--guard"));
    assert.ok(!argvOf("Stop", {}, codex)?.includes("--guard"));
    assert.ok(!argvOf("UserPromptSubmit", {}, codex)?.includes("--guard"));
  });

  test("waits as long as a hook may take, but not longer than the agent can be made to", () => {
    assert.deepEqual(argvOf("Stop", slow), ["claude-code", "--timeout-ms", "600500"]);
    const end: NeedsByEvent = { "session.end": { guard: false, timeout_s: 601 } };
    assert.deepEqual(argvOf("SessionEnd", end, codex), ["codex", "--timeout-ms", "2500"]);
  });

  for (const adapter of [claude, codex]) {
    for (const [what, from, to] of [
      ["a guard comes", {}, guarded],
      ["the last guard goes", guarded, {}],
      ["a slow hook comes", guarded, { ...guarded, ...slow }],
    ] as const) {
      test(`is changed to what it would have been from the start when ${what} (${adapter.agent})`, () => {
        const before = wantedEntries(adapter, client, from);
        assert.deepEqual(
          before.map((entry) => entryFor(adapter, entry, to)),
          wantedEntries(adapter, client, to),
        );
      });
    }
  }

  test("keeps what somebody has made of it: another client, more time, arguments in another order", () => {
    const own = { native: "PreToolUse", argv: ["swarm", "hook", "claude-code"], timeoutS: 300 } as const;
    assert.deepEqual(entryFor(claude, own, guarded), {
      native: "PreToolUse",
      argv: ["swarm", "hook", "claude-code", "--guard"],
      timeoutS: 300,
    });
    const odd = { ...own, argv: ["/x/swarm-hook", "--timeout-ms", "9", "other"] } as const;
    assert.deepEqual(entryFor(claude, odd, guarded).argv, [...odd.argv, "--guard"]);
    const unknown = { ...own, native: "Setup" } as const;
    assert.equal(entryFor(claude, unknown, guarded), unknown);
  });
});
