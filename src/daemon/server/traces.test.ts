import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { startedDaemon } from "./harness.cases.ts";

const hooks = `hooks:
  - { event: tool.before, type: command, name: guard, mode: guard, on_failure: deny, command: exit 0 }
  - { event: tool.before, type: command, name: watcher, mode: observe, command: exit 0 }
policy: { rules: [{ id: no, behaviour: deny, when: { command: rm } }] }
`;

test("a daemon with traces on sends a span for every event, hook, rule and observer, and none while they are off", async (t) => {
  const names: string[][] = [];
  const collector = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const spans = JSON.parse(text).resourceSpans[0].scopeSpans[0].spans as { name: string }[];
    names.push(spans.map(({ name }) => name));
    response.end("{}");
  }).listen(0, "127.0.0.1");
  t.after(() => void collector.close());
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const { daemon, cwd } = await startedDaemon(t, hooks, env);
  const { runtime } = daemon;
  const call = () =>
    runtime.events.emit({
      event: "tool.before",
      data: { tool_name: "Bash", tool_input: { command: "ls" } },
      origin: { cwd },
    });
  await call();
  await runtime.flags.set("traces", true, "human:ada");
  await call();
  await assert.rejects(runtime.events.emit({ event: "tool.before", data: {}, origin: { cwd } }), {
    code: "SWARM_PAYLOAD_INVALID",
  });
  await runtime.flags.set("traces", false, "human:ada");
  await call();
  await daemon.stop();
  assert.deepEqual(names.flat().sort(), [
    "emit tool.before",
    "emit tool.before",
    "hook guard",
    "hook policy",
    "hook watcher",
  ]);
});
