import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { adapters } from "../../adapters/index.ts";
import { starter } from "../harness.cases.ts";
import { Replay } from "../replay.ts";
import { scannedAgents } from "../../port/agents.ts";
import { transcriptReaders } from "./readers.ts";

/** Names readers look at, so that what is made up gets past the first of them. */
const names = [
  ...[
    "type",
    "message",
    "payload",
    "data",
    "content",
    "parts",
    "toolCalls",
    "$set",
    "messages",
    "functionCall",
  ],
  ...[
    "name",
    "tool",
    "toolName",
    "arguments",
    "args",
    "input",
    "state",
    "call_id",
    "id",
    "action",
    "command",
  ],
  ...[
    "sessionId",
    "sessionID",
    "session_id",
    "cwd",
    "directory",
    "directories",
    "context",
    "timestamp",
    "time",
  ],
  ...["agentId", "source", "namespace", "parent", "created"],
];
const words = [
  "assistant",
  "tool_use",
  "tool",
  "response_item",
  "session_meta",
  "function_call",
  "custom_tool_call",
];
const moreWords = [
  "local_shell_call",
  "tool.execution_start",
  "session.start",
  "/srv/x",
  "Bash",
  "rm -rf /",
  "__proto__",
];

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom<unknown>(...words, ...moreWords, null, 0, -1, 9e99, true, ""),
    fc.string(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 10 }),
  ),
}));

for (const agent of scannedAgents) {
  test(`nothing a transcript of ${agent} can say makes the reading fail`, () => {
    const reader = transcriptReaders[agent];
    const replay = new Replay("/home/dev", adapters);
    const { policy } = starter();
    const file = {
      agent,
      path: "/none/p/chats/a.jsonl",
      folder: "/none",
      size: 0,
      modifiedMs: 0,
    };
    const record = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 12 });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        const callsIn = reader.open(file);
        for (const call of records.flatMap((each) => [...callsIn(each)])) {
          assert.equal(typeof call.tool, "string");
          assert.ok(call.cwd === null || call.cwd.startsWith("/"));
          const replayed = replay.call(agent, reader, call, call.timeMs ?? 0);
          if (replayed !== null) policy?.judge(replayed.action, replayed.place);
        }
      }),
      { numRuns: 500 },
    );
  });
}
