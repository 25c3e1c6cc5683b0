import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ModelServer } from "./model-server.ts";
import { callsInOrder, callsOffered, type ModelScript } from "./script.ts";

const runsShell = callsInOrder([{ tool: "shell", input: { command: "true" } }]);

async function serverOf(t: TestContext, script: ModelScript = runsShell): Promise<ModelServer> {
  const server = await ModelServer.start(script);
  t.after(() => server.close());
  return server;
}

function post(address: string, body: object): Promise<Response> {
  return fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** The events of a stream, as objects. */
async function eventsOf(response: Response): Promise<unknown[]> {
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const blocks = (await response.text()).trim().split("\n\n");
  return blocks.map((block) => {
    const data = /^data: (.*)$/m.exec(block)?.[1] ?? "";
    const name = /^event: (.*)$/m.exec(block)?.[1];
    if (data === "[DONE]") return data;
    const value = JSON.parse(data) as { type?: string };
    if (name !== undefined) assert.equal(value.type, name);
    return value;
  });
}

test("Anthropic Messages: a stream of a tool call is followed by a text once its result is there", async (t) => {
  const server = await serverOf(t);
  const prompt = { role: "user", content: "go" };
  const tools = [{ name: "shell", input_schema: {} }];
  const first = await eventsOf(
    await post(`${server.address}/v1/messages?beta=true`, { stream: true, messages: [prompt], tools }),
  );
  assert.deepEqual(first.slice(1, 4), [
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "toolu_1", name: "shell", input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: '{"command":"true"}' },
    },
    { type: "content_block_stop", index: 0 },
  ]);
  const result = {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "refused" }] }],
  };
  const second = await post(`${server.address}/v1/messages`, { messages: [prompt, result], tools });
  assert.deepEqual(await second.json(), {
    id: "msg_2",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [{ type: "text", text: "done" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  assert.deepEqual(server.toolResults, ["refused"]);
});

test("OpenAI Responses: a tool of a namespace is called in it, and the outputs of calls are results", async (t) => {
  const server = await serverOf(t);
  const prompt = {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "go" }],
  };
  const tools = [{ type: "namespace", name: "programs", tools: [{ type: "function", name: "shell" }] }];
  const ask = (input: object[]) => post(`${server.address}/v1/responses`, { stream: true, input, tools });
  const call = {
    type: "function_call",
    id: "fc_1",
    call_id: "call_1",
    name: "shell",
    namespace: "programs",
    arguments: '{"command":"true"}',
    status: "completed",
  };
  const first = await eventsOf(await ask([prompt]));
  assert.deepEqual(
    first.map((event) => (event as { type: string }).type),
    ["response.created", "response.output_item.added", "response.output_item.done", "response.completed"],
  );
  assert.deepEqual(first[2], {
    type: "response.output_item.done",
    output_index: 0,
    item: call,
    sequence_number: 2,
  });
  const output = { type: "function_call_output", call_id: "call_1", output: "refused" };
  const [, , done] = await eventsOf(await ask([prompt, call, output]));
  assert.deepEqual((done as { item: object }).item, {
    type: "message",
    id: "msg_2",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "done", annotations: [] }],
  });
  assert.deepEqual(server.requests.at(-1)?.turn, {
    prompts: ["go"],
    toolResults: ["refused"],
    tools: [{ name: "shell", namespace: "programs" }],
  });
});

test("OpenAI Responses: without a stream the reply is one object", async (t) => {
  const server = await serverOf(t);
  const response = await post(`${server.address}/v1/responses`, { input: "go" });
  const { status, output } = (await response.json()) as { status: string; output: { type: string }[] };
  assert.deepEqual([status, output.map(({ type }) => type)], ["completed", ["message"]]);
});

test("Chat Completions: a stream of a tool call ends with its reason and [DONE]; a result is answered by a text", async (t) => {
  const server = await serverOf(t);
  const address = `${server.address}/v1/chat/completions`;
  const prompt = { role: "user", content: "go" };
  const tools = [{ type: "function", function: { name: "shell", parameters: {} } }];
  const called = {
    role: "assistant",
    content: null,
    tool_calls: [
      {
        index: 0,
        id: "call_1",
        type: "function",
        function: { name: "shell", arguments: '{"command":"true"}' },
      },
    ],
  };
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "scripted" };
  assert.deepEqual(await eventsOf(await post(address, { stream: true, messages: [prompt], tools })), [
    { ...head, choices: [{ index: 0, delta: called, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    "[DONE]",
  ]);
  const result = { role: "tool", tool_call_id: "call_1", content: "refused" };
  const response = await post(address, { messages: [prompt, called, result], tools });
  const { choices } = (await response.json()) as { choices: object[] };
  assert.deepEqual(choices, [
    { index: 0, message: { role: "assistant", content: "done" }, finish_reason: "stop" },
  ]);
  assert.deepEqual(server.toolResults, ["refused"]);
});

test("Gemini: the address says whether it is a stream, and function responses are results", async (t) => {
  const server = await serverOf(t);
  const model = `${server.address}/v1beta/models/gemini-2.5-flash`;
  const prompt = { role: "user", parts: [{ text: "go" }] };
  const tools = [{ functionDeclarations: [{ name: "shell" }] }];
  const [first] = await eventsOf(
    await post(`${model}:streamGenerateContent?alt=sse`, { contents: [prompt], tools }),
  );
  const call = { functionCall: { name: "shell", args: { command: "true" } } };
  assert.deepEqual((first as { candidates: object[] }).candidates, [
    { index: 0, content: { role: "model", parts: [call] }, finishReason: "STOP" },
  ]);
  const result = {
    role: "user",
    parts: [{ functionResponse: { name: "shell", response: { error: "refused" } } }],
  };
  const response = await post(`${model}:generateContent`, {
    contents: [prompt, { role: "model", parts: [call] }, result],
    tools,
  });
  const { candidates } = (await response.json()) as { candidates: object[] };
  assert.deepEqual(candidates, [
    { index: 0, content: { role: "model", parts: [{ text: "done" }] }, finishReason: "STOP" },
  ]);
  assert.deepEqual(server.toolResults, ['{"error":"refused"}']);
});

test("a request that does not offer the script's tool gets a text: agents also ask for titles", async (t) => {
  const server = await serverOf(t);
  const response = await post(`${server.address}/v1/messages`, {
    messages: [{ role: "user", content: "title?" }],
  });
  const { content } = (await response.json()) as { content: object[] };
  assert.deepEqual(content, [{ type: "text", text: "done" }]);
});

test("a call can be made of the results before it", async (t) => {
  const server = await serverOf(
    t,
    callsInOrder([
      { tool: "start", input: {} },
      ({ toolResults }) => ({ tool: "wait", input: { id: toolResults[0] } }),
    ]),
  );
  const tools = ["start", "wait"].map((name) => ({ type: "function", function: { name } }));
  const messages = [
    { role: "user", content: "go" },
    { role: "tool", content: "seven" },
  ];
  const response = await post(`${server.address}/v1/chat/completions`, { messages, tools });
  assert.match(await response.text(), /"name":"wait","arguments":"\{\\"id\\":\\"seven\\"\}"/);
});

test("calls of tools that are not offered are left out, and a server's name before a tool is no other tool", () => {
  const calls = ["shell", "edit", "touch"].map((tool) => ({ tool, input: {} }));
  const script = callsOffered(calls);
  const turn = (names: readonly string[], answered: number) => ({
    prompts: [],
    toolResults: Array.from({ length: answered }, () => "ok"),
    tools: names.map((name) => ({ name })),
  });
  const offered = ["shell", "mcp__probe__touch"];
  const asked = [0, 1, 2].map((answered) => script(turn(offered, answered)));
  assert.deepEqual(asked, [
    { tool: "shell", input: {} },
    { tool: "mcp__probe__touch", input: {} },
    { text: "done" },
  ]);
  assert.deepEqual(script(turn(["title"], 0)), { text: "done" }, "a request for a title is no part of it");
});

test("a tool that takes a text is called with one", async (t) => {
  const script = callsOffered([{ tool: "apply_patch", input: {}, text: "*** Begin Patch" }]);
  const server = await serverOf(t, script);
  const tools = [{ type: "custom", name: "apply_patch" }];
  const response = await post(`${server.address}/v1/responses`, { input: "go", tools });
  const { output } = (await response.json()) as { output: readonly { type: string; input: string }[] };
  assert.deepEqual([output[0]?.type, output[0]?.input], ["custom_tool_call", "*** Begin Patch"]);
});

test("tokens are counted, models listed, and what it does not know is refused; all of it is remembered", async (t) => {
  const server = await serverOf(t);
  const statusOf = async (path: string, init?: RequestInit) =>
    (await fetch(`${server.address}${path}`, init)).status;
  assert.deepEqual(
    [
      await statusOf("/v1/messages/count_tokens", { method: "POST", body: "{}" }),
      await statusOf("/v1/models"),
      await statusOf("/v1/messages"),
      await statusOf("/v1/messages", { method: "POST", body: "{" }),
    ],
    [200, 200, 404, 400],
  );
  assert.deepEqual(
    server.requests.map(({ path, turn }) => [path, turn]),
    [
      ["/v1/messages/count_tokens", null],
      ["/v1/models", null],
      ["/v1/messages", null],
      ["/v1/messages", null],
    ],
  );
});

test("it listens on loopback alone", async (t) => {
  const server = await serverOf(t);
  assert.match(server.address, /^http:\/\/127\.0\.0\.1:\d+$/);
});
