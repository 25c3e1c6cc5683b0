import assert from "node:assert/strict";
import { after, test } from "node:test";
import { handlerCases } from "../../engine/hooks/handler.cases.ts";
import { emitTo, reasonOf, Workshop, ways } from "./harness.cases.ts";
import { mcpToolHandler } from "./mcp-tool-handler.ts";

const workshop = new Workshop({ after });
const specs = await Promise.all(
  ways.map(async ([transport, era]) => ({
    way: `${transport}, ${era}`,
    server: workshop.server(await workshop.spec(transport, era)),
  })),
);

for (const { way, server } of specs) {
  handlerCases(`mcp_tool (${way})`, () => {
    const calling = (tool: string) => mcpToolHandler({ tool, servers: [server], isClaudeShaped: false });
    return {
      silent: calling("silent"),
      allow: calling("allow"),
      deny: calling("deny"),
      rewrite: calling("rewrite"),
      context: calling("context"),
      fail: calling("fail"),
      garbage: calling("garbage"),
      hang: calling("hang"),
    };
  });
}

const [{ server }] = specs as [(typeof specs)[0]];
const messages = [
  { role: "system", content: "be nice" },
  { role: "user", content: "hello" },
];

test("a tool gets the conversation, and what it gives back replaces it", async () => {
  const data = { messages, context: { turn: 1 } };
  const event = "session.start";
  const noted = await emitTo("note", [server], { event, data });
  assert.deepEqual(noted.data, { messages, context: { turn: 1, noted: true } });
  const filtered = await emitTo("users_only", [server], { event, data });
  assert.deepEqual(filtered.data, { messages: [messages[1]], context: { turn: 1 } });
});

test("an empty list clears, and null is a context", async () => {
  const data = { messages, context: { turn: 1 } };
  const { data: cleared } = await emitTo("clear", [server], { event: "session.start", data });
  assert.deepEqual(cleared, { messages: [], context: null });
});

test("a tool that returns what it was given changes nothing, in any mode", async () => {
  const given = { messages, context: { turn: 1 } };
  for (const data of [given, {}]) {
    for (const mode of ["transform", "guard", "observe"]) {
      const outcome = await emitTo("echo", [server], { event: "session.start", data, options: { mode } });
      assert.deepEqual([outcome.data, outcome.handlers[0]?.status], [data, "completed"]);
    }
  }
});

test("a tool is given of payload and envelope what its schema names, and nothing that is not there", async () => {
  const { data } = await emitTo("asked", [server]);
  const payload = { tool_name: "Bash", tool_input: { command: "ls" } };
  const conversation = { messages: [], context: null };
  const envelope = { session: "s1", event: "tool.before", data: payload };
  assert.deepEqual(data.context, { asked: { ...conversation, ...payload, ...envelope } });
});

test("a tool that takes no other arguments is given none", async () => {
  const { data } = await emitTo("closed", [server]);
  assert.deepEqual(data.context, { asked: { tool_name: "Bash" } });
});

test("a text that is an object is an answer, any other text is for people", async () => {
  const denied = await emitTo("deny_in_text", [server]);
  assert.deepEqual([denied.decision.verdict, denied.decision.reason], ["deny", "no"]);
  const said = await emitTo("say", [server]);
  assert.deepEqual([said.decision.verdict, said.decision.context], ["none", []]);
});

test("the other dialect denies too, and so does an answer some servers wrap", async () => {
  for (const tool of ["carry_on", "wrapped_deny"]) {
    const { decision } = await emitTo(tool, [server]);
    assert.deepEqual([tool, decision.verdict, decision.reason], [tool, "deny", "no"]);
  }
  assert.equal(reasonOf(await emitTo("wrapped", [server])), "completed: null");
});

test("a hook of a file for Claude Code is answered in Claude Code's words", async () => {
  const { decision } = await emitTo("claude", [server], { isClaudeShaped: true });
  assert.deepEqual([decision.verdict, decision.reason], ["deny", "no"]);
});

const failures: Readonly<Record<string, string>> = {
  fail: 'tool "fail" of MCP server "test" failed: disk full',
  typo: 'tool "typo" of MCP server "test" returned an object with key "verdit", expected only messages, context, verdict, reason, rewrite, stop, carry_on, mutation',
  two: 'tool "two" of MCP server "test" returned 2 objects, expected one',
  list: 'tool "list" of MCP server "test" returned an array of 1, expected an object',
  garbage: 'hook it answered verdict "block", expected none, allow, ask, defer or deny',
  ecko: 'there is no tool "ecko" on MCP server test, did you mean "echo"?',
};

for (const [tool, reason] of Object.entries(failures)) {
  test(`${tool} is a failure that says what went wrong, and denies where it has to`, async () => {
    assert.equal(reasonOf(await emitTo(tool, [server])), `failed: ${reason}`);
    const { decision } = await emitTo(tool, [server], { options: { mode: "guard", onFailure: "deny" } });
    assert.deepEqual(
      [decision.verdict, decision.reason],
      ["deny", `${reason}; this hook denies when it fails`],
    );
  });
}

test("half an object is a failure, not a text", async () => {
  assert.match(reasonOf(await emitTo("half", [server])), /^failed: .* returned what is not JSON: /);
});

test("a tool's name alone finds the one server that has it, and does not choose between two", async (t) => {
  const own = new Workshop(t);
  const both = [own.server(await own.spec("stdio", "new", "a")), own.server(own.script(""))];
  assert.equal(reasonOf(await emitTo("it", both)), "completed: null");
  assert.equal((await emitTo("deny", both)).decision.verdict, "deny");
  const unknown = 'failed: there is no tool "banana" on MCP servers a, test';
  assert.equal(reasonOf(await emitTo("banana", both)), unknown);
  const twice = [both[0], own.server(await own.spec("stdio", "new", "b"))] as typeof both;
  const ambiguous = 'failed: tool "deny" is on a, b, expected one of them as the hook\'s server';
  assert.equal(reasonOf(await emitTo("deny", twice)), ambiguous);
  const missing = own.server(own.local(["./nowhere"], "c"));
  assert.equal((await emitTo("deny", [missing, ...both])).decision.verdict, "deny");
  assert.match(
    reasonOf(await emitTo("banana", [missing, ...both])),
    /^failed: MCP server "c" cannot be reached/,
  );
});
