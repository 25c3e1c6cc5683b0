import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createHooks } from "../../engine/hooks/create-hooks.ts";
import { deny } from "../../index.ts";
import { Outbound } from "../../net/outbound.ts";
import { manualClock } from "../../engine/testing/index.ts";
import { otlpTarget } from "./otlp.ts";
import { Traces } from "./traces.ts";

interface Sent {
  readonly headers: IncomingMessage["headers"];
  readonly resource: Record<string, string>;
  readonly spans: readonly SentSpan[];
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: Record<string, string>;
}

/** A collector; `answer` is what it says to each request. */
async function collector(t: TestContext, answer: () => number = () => 200) {
  const sent: Sent[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const status = answer();
    if (status === 200) sent.push(read(request.headers, JSON.parse(Buffer.concat(chunks).toString())));
    response.writeHead(status).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { sent, url: `http://127.0.0.1:${port}` };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

function read(headers: Sent["headers"], body: { resourceSpans: never[] }): Sent {
  const [{ resource, scopeSpans }] = body.resourceSpans as unknown as [
    {
      resource: { attributes: Attribute[] };
      scopeSpans: [{ spans: (SentSpan & { attributes: Attribute[] })[] }];
    },
  ];
  const mapOf = (list: readonly Attribute[]) =>
    Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue]));
  const spans = scopeSpans[0].spans.map((span) => ({ ...span, attributes: mapOf(span.attributes as never) }));
  return { headers, resource: mapOf(resource.attributes), spans: spans as never };
}

function open(t: TestContext, env: NodeJS.ProcessEnv) {
  const warnings: string[] = [];
  const clock = manualClock();
  const outbound = new Outbound();
  t.after(() => outbound.close());
  const log = { warn: (message: string) => void warnings.push(message) };
  const traces = new Traces({ env, clock, log, outbound });
  return { traces, clock, warnings };
}

/** An event with one hook that allows and one that denies. */
async function decided(traces: Traces) {
  const hooks = createHooks({ trace: true });
  hooks.on("tool.before", { name: "first" }, traces.around("first", () => undefined) as never);
  hooks.on("tool.before", { name: "second" }, traces.around("second", () => deny("no")) as never);
  const data = { tool_name: "Bash", tool_input: { command: "echo sk-1234567890abcdefghij" } };
  const origin = { session: "s1", agent: "a1", source: "claude-code" };
  return { outcome: await hooks.emit("tool.before", data, origin), data, origin };
}

test("one span per event and one per hook, named as the conventions for generative AI say", async (t) => {
  const { sent, url } = await collector(t);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, OTEL_EXPORTER_OTLP_HEADERS: "x-team=a%20b" };
  const { traces } = open(t, env);
  traces.start();
  const { outcome, data, origin } = await decided(traces);
  traces.emitted(outcome, data, origin, 2.5);
  await traces.close();
  const [{ headers, resource, spans }] = sent as [Sent];
  assert.deepEqual([headers["x-team"], headers["content-type"]], ["a b", "application/json"]);
  assert.equal(resource["service.name"], "swarm-hooks");
  const [emit, first, second] = spans as [SentSpan, SentSpan, SentSpan];
  assert.deepEqual(
    spans.map(({ name }) => name),
    ["emit tool.before", "hook first", "hook second"],
  );
  assert.deepEqual(emit.attributes, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "Bash",
    "gen_ai.conversation.id": "s1",
    "gen_ai.agent.id": "a1",
    "swarm.source": "claude-code",
    "swarm.event": "tool.before",
    "swarm.event.id": outcome.id,
    "swarm.verdict": "deny",
    "swarm.decided_by": "second",
  });
  assert.equal(BigInt(emit.endTimeUnixNano) - BigInt(emit.startTimeUnixNano), 2_500_000n);
  assert.match(emit.traceId, /^[0-9a-f]{32}$/);
  for (const span of [first, second])
    assert.deepEqual([span.traceId, span.parentSpanId], [emit.traceId, emit.spanId]);
  assert.deepEqual([second.attributes["swarm.hook.status"], second.status], ["denied", {}]);
});

test("an observer that ends later has its place under its event; a failure is one", async (t) => {
  const { sent, url } = await collector(t);
  const { traces } = open(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url });
  traces.start();
  const { outcome, data, origin } = await decided(traces);
  traces.emitted(outcome, data, origin, 1);
  const late = { name: "late", kind: "http", mode: "observe", verdict: "none", ms: 4 } as const;
  traces.observed(outcome, { ...late, status: "timed_out", reason: "key sk-1234567890abcdefghij" });
  traces.failed("tool.before", { tool_name: "Bash" }, {}, 1, new Error("no such folder"));
  await traces.close();
  const spans = sent.flatMap((one) => one.spans);
  const [observer, failed] = spans.slice(-2) as [SentSpan, SentSpan];
  assert.equal(observer.parentSpanId, spans[0]?.spanId);
  assert.deepEqual(observer.status, { code: 2, message: "key [redacted]" });
  assert.deepEqual(failed.status, { code: 2, message: "no such folder" });
  assert.ok(!JSON.stringify(sent).includes("sk-1234"), "no secret leaves");
});

test("a process that does not stay sends nothing, and notes nothing", async (t) => {
  const { sent, url } = await collector(t);
  const { traces } = open(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url });
  const { outcome, data, origin } = await decided(traces);
  traces.emitted(outcome, data, origin, 1);
  await traces.close();
  assert.deepEqual(sent, []);
});

suite("a collector", () => {
  test("that is not there is told of once, and what finds no room is counted", async (t) => {
    const { traces, warnings, clock } = open(t, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
    traces.start();
    const { outcome, data, origin } = await decided(traces);
    for (let n = 0; n < 1_000; n++) traces.emitted(outcome, data, origin, 1);
    assert.equal(traces.dropped, 3_000 - 2_048 - 512);
    while (warnings.length === 0) await turn();
    await clock.advance(5_000);
    await traces.close();
    assert.equal(traces.dropped, 3_000);
    assert.match(warnings[0] ?? "", /^spans cannot be sent: /);
    assert.deepEqual(warnings.length, 2);
    assert.match(warnings[1] ?? "", /spans were left$/);
  });

  test("that is busy for a while gets them later", async (t) => {
    const answers = [503, 200];
    const { sent, url } = await collector(t, () => answers.shift() ?? 200);
    const { traces, warnings, clock } = open(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    traces.start();
    const { outcome, data, origin } = await decided(traces);
    traces.emitted(outcome, data, origin, 1);
    await clock.advance(5_000);
    while (warnings.length === 0) await turn();
    while (sent.length === 0) {
      await clock.advance(5_000);
      await turn();
    }
    await traces.close();
    assert.deepEqual([sent.length, traces.dropped, warnings.length], [1, 0, 1]);
  });

  test("that refuses them for good is not asked again", async (t) => {
    const { sent, url } = await collector(t, () => 400);
    const { traces, warnings } = open(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    traces.start();
    const { outcome, data, origin } = await decided(traces);
    traces.emitted(outcome, data, origin, 1);
    await traces.close();
    assert.deepEqual([sent.length, traces.dropped, warnings], [0, 3, ["spans cannot be sent: status 400"]]);
  });
});

test("an address that is none is an error at the start", (t) => {
  const { traces } = open(t, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "ftp://x" });
  assert.throws(() => traces.start(), { code: "SWARM_OPTION_INVALID" });
  assert.equal(otlpTarget({}).url, "http://localhost:4318/v1/traces");
  assert.equal(otlpTarget({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c/x" }).url, "http://c/x");
});
