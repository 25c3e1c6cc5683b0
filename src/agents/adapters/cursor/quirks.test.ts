import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, fixture } from "../answer-to.cases.ts";
import { cursor } from "./adapter.ts";
import { cursorQuirks } from "./quirks.ts";

const agent = "cursor";
const before = fixture(agent, "made-up/preToolUse");
const after = fixture(agent, "made-up/postToolUse");
const decode = (payload: typeof before) => cursor.decode({ payload, env: {} });
const hook = (...more: string[]) =>
  ({ native: "preToolUse", argv: ["/bin/swarm-hook", agent, ...more], timeoutS: 60 }) as const;
const denied = (reason: string) => ({ permission: "deny", user_message: reason, agent_message: reason });

/** One proof per quirk: the compiler refuses one that is left out. */
const proofs: Readonly<Record<(typeof cursorQuirks)[number]["id"], () => void>> = {
  ask_is_ignored: () => {
    const { json, notes } = answerTo(cursor, before, { verdict: "ask", reason: "sure?" });
    assert.deepEqual(json, denied("sure? (no person can be asked at Cursor's preToolUse)"));
    assert.equal(notes.length, 1);
    const shell = fixture(agent, "made-up/beforeShellExecution");
    assert.deepEqual(answerTo(cursor, shell, { verdict: "ask", reason: "sure?" }).json, {
      permission: "ask",
      user_message: "sure?",
    });
  },
  silence_fails_closed: () => assert.equal(answerTo(cursor, before, {}).native.stdout, "{}\n"),
  failures_pass: () => {
    const [guard, other] = [hook("--guard"), hook()].map(
      (wanted) => JSON.parse(cursor.settings.install(null, [wanted])).hooks.preToolUse[0],
    );
    assert.deepEqual([guard.failClosed, other.failClosed], [true, undefined]);
  },
  rewrites_of_known_fields: () => {
    const tool_input = { command: "ls", cwd: "" };
    assert.deepEqual(answerTo(cursor, before, {}, { tool_input }).json, { updated_input: tool_input });
    const write = fixture(agent, "made-up/preToolUse.write");
    const cases: readonly (readonly [typeof before, object, RegExp])[] = [
      [
        write,
        { file_path: "/workspace/project/a.txt", content: "ho" },
        /of Write it does not change content/,
      ],
      [before, { command: "ls" }, /cwd would stay/],
      [before, { command: "ls", cwd: "", env: {} }, /of Shell it does not change env/],
      [before, { command: 7, cwd: "" }, /of Shell it does not change command/],
    ];
    for (const [payload, input, why] of cases) {
      const { json } = answerTo(cursor, payload, {}, { tool_input: input });
      assert.equal(json?.permission, "deny");
      assert.match(String(json?.user_message), why);
    }
    const mcp = fixture(agent, "made-up/preToolUse.mcp");
    const any = { path: "b.txt", more: [1] };
    assert.deepEqual(answerTo(cursor, mcp, {}, { tool_input: any }).json, { updated_input: any });
  },
  two_events_for_one_call: () => {
    const never = cursor.events.filter(({ installed }) => installed === "never").map(({ native }) => native);
    assert.deepEqual(never, [
      "beforeShellExecution",
      "beforeMCPExecution",
      "beforeReadFile",
      "afterShellExecution",
      "afterMCPExecution",
      "afterFileEdit",
    ]);
    const { data } = decode(fixture(agent, "made-up/beforeShellExecution"));
    assert.deepEqual([data.tool_name, data.tool_input], ["Shell", { command: "echo hi" }]);
    const read = decode(fixture(agent, "made-up/beforeReadFile"));
    assert.deepEqual(
      [read.data.tool_name, read.data.tool_input],
      ["Read", { file_path: "/workspace/project/a.txt" }],
    );
  },
  results_of_mcp_tools_only: () => {
    assert.deepEqual(answerTo(cursor, after, { verdict: "deny", reason: "no", context: ["c"] }).json, {
      additional_context: "A hook objects: no\n\nc",
    });
    const mcp = fixture(agent, "made-up/postToolUse.mcp");
    assert.deepEqual(answerTo(cursor, mcp, {}, { tool_output: "[masked]" }).json, {
      updated_mcp_tool_output: "[masked]",
    });
    const { json } = answerTo(cursor, after, {}, { tool_output: "[masked]" });
    assert.match(
      String(json?.additional_context),
      /^A hook objects: .*Suggested instead, as tool_output: \[masked\]$/,
    );
  },
  long_context: () => {
    const { json, notes } = answerTo(cursor, before, { context: ["x".repeat(9_000), "y".repeat(9_000)] });
    assert.equal(String(json?.additional_context).length, 10_000);
    assert.deepEqual(notes, ["context: cut to 10000 characters at Cursor's preToolUse"]);
  },
  reads_claude_settings: () => {
    assert.equal(
      cursor.recognises({ payload: before, env: { CLAUDE_PROJECT_DIR: "/workspace/project" } }),
      true,
    );
    assert.notEqual(decode(before).key, null);
    assert.equal(decode(structuredClone(before)).key, decode(before).key);
  },
  unknown_events_spoil_the_file: () => {
    const root = JSON.parse(cursor.settings.install(null, [hook()]));
    assert.equal(root.version, 1);
    assert.equal(new Set(cursor.events.map(({ native }) => native)).size, 21);
  },
  two_slashes_are_a_comment: () => {
    assert.doesNotMatch(cursor.settings.install(null, [hook("--guard")]), /\/\//);
  },
  no_symbolic_links: () => {
    const folders = { home: "/home/user", project: "/workspace/project", env: {} };
    assert.equal(cursor.settings.file("project", folders), "/workspace/project/.cursor/hooks.json");
  },
  no_cwd: () => {
    assert.equal(decode(before).origin.cwd, "/workspace/project");
    assert.equal(decode(fixture(agent, "made-up/preToolUse.cwd")).origin.cwd, "/workspace/project/sub");
  },
  stop_has_a_limit: () => {
    const stop = fixture(agent, "made-up/stop");
    assert.deepEqual(answerTo(cursor, stop, { verdict: "deny", reason: "tests fail" }).json, {
      followup_message: "tests fail",
    });
  },
};

for (const { id, behaviour, whatWeDo } of cursorQuirks) {
  test(`${behaviour} ${whatWeDo}`, proofs[id]);
}

test("a prompt and a session are refused by continue: false", () => {
  for (const name of ["beforeSubmitPrompt", "sessionStart"]) {
    const { json } = answerTo(cursor, fixture(agent, `made-up/${name}`), { verdict: "deny", reason: "no" });
    assert.deepEqual(json, { continue: false, user_message: "no" });
  }
});
