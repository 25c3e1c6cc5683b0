import assert from "node:assert/strict";
import { test } from "node:test";
import { genesisHash, type RunEvent } from "../../record/port/run-event.ts";
import { Counter, Histogram } from "./exposition.ts";
import { Metrics } from "./metrics.ts";

const row: RunEvent = {
  seq: 1,
  id: "evt_1",
  time: "2026-01-01T00:00:00.000Z",
  kind: "emit",
  event: "tool.before",
  ref: null,
  actor: "swarm",
  session: "s",
  agent: null,
  task: null,
  cwd: "/p",
  source: null,
  verdict: "deny",
  reason: "because of sk-1234567890abcdefghij",
  hook: "guard",
  hook_digest: null,
  ms: 3,
  outcome: "denied",
  handlers: [
    {
      name: "guard",
      kind: "command",
      mode: "guard",
      status: "denied",
      verdict: "deny",
      reason: null,
      ms: 2,
      hook_id: null,
      digest: null,
    },
    {
      name: "later",
      kind: "http",
      mode: "observe",
      status: "scheduled",
      verdict: "none",
      reason: null,
      ms: 0,
      hook_id: null,
      digest: null,
    },
  ],
  before_hash: null,
  after_hash: null,
  prev_hash: genesisHash,
  hash: genesisHash,
};

const levels = {
  recordedRows: 7,
  pendingDeliveries: 1,
  pendingApprovals: 2,
  streamReaders: 3,
  droppedSpans: 0,
};

/** Rows are told of by hand. */
function recorded() {
  const listeners = new Set<(told: RunEvent) => void>();
  const onRecorded = (listener: (told: RunEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    onRecorded,
    tell: (told: RunEvent) => listeners.forEach((listener) => void listener(told)),
    listeners,
  };
}

/** Every line of Prometheus' text format: a remark, or a name with labels and a number. */
const line =
  /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z_]+="(?:[^"\\\n]|\\[\\n"])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\n"])*")*\})? -?[0-9.e+-]+)$/;

test("while it is off nobody listens, and there is nothing to read", () => {
  const { onRecorded, listeners } = recorded();
  const metrics = new Metrics({ onRecorded });
  assert.equal(listeners.size, 0);
  assert.equal(metrics.text(levels), null);
  metrics.switch(true);
  metrics.switch(true);
  assert.equal(listeners.size, 1);
  metrics.switch(false);
  assert.equal(listeners.size, 0);
});

test("counts events, hooks, changes and logins, in a text Prometheus can read", () => {
  const { onRecorded, tell } = recorded();
  const metrics = new Metrics({ onRecorded });
  metrics.switch(true);
  tell(row);
  tell({
    ...row,
    kind: "observed",
    handlers: row.handlers.slice(1).map((one) => ({ ...one, status: "failed" })),
  });
  tell({ ...row, kind: "change", event: "flag.set", handlers: [] });
  tell({ ...row, kind: "login", event: "login", handlers: [] });
  const text = metrics.text(levels) ?? assert.fail();
  for (const one of text.trimEnd().split("\n")) assert.match(one, line);
  for (const expected of [
    'swarm_events_total{event="tool.before",verdict="deny",outcome="denied"} 1',
    'swarm_event_duration_seconds_bucket{event="tool.before",le="0.0025"} 0',
    'swarm_event_duration_seconds_bucket{event="tool.before",le="0.005"} 1',
    'swarm_event_duration_seconds_bucket{event="tool.before",le="+Inf"} 1',
    'swarm_event_duration_seconds_sum{event="tool.before"} 0.003',
    'swarm_hook_calls_total{hook="guard",kind="command",status="denied"} 1',
    'swarm_hook_calls_total{hook="later",kind="http",status="failed"} 1',
    'swarm_changes_total{event="flag.set"} 1',
    'swarm_logins_total{outcome="denied"} 1',
    "swarm_record_rows 7",
    "swarm_stream_readers 3",
  ])
    assert.ok(text.split("\n").includes(expected), `${expected} in\n${text}`);
  assert.ok(!text.includes("sk-1234"), "reasons are no labels");
});

test("a name with quotes, backslashes and line breaks is one label of one line", () => {
  const counter = new Counter("c", "help");
  counter.add({ hook: 'a"b\\c\nd' });
  assert.equal(counter.text(), '# HELP c help\n# TYPE c counter\nc{hook="a\\"b\\\\c\\nd"} 1\n');
});

test("more names than anybody reads are counted together, so that sums stay right", () => {
  const [counter, histogram] = [new Counter("c", "help"), new Histogram("h", "help")];
  for (let n = 0; n < 5_000; n++) {
    counter.add({ hook: `h${n}` });
    histogram.observe({ hook: `h${n}` }, 1);
  }
  const lines = counter.text().split("\n").slice(2, -1);
  assert.equal(lines.length, 1_001);
  assert.equal(lines.at(-1), 'c{hook="other"} 4000');
  assert.match(histogram.text(), /h_count\{hook="other"\} 4000\n$/);
});
