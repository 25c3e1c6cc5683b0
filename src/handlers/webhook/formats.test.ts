import assert from "node:assert/strict";
import { test } from "node:test";
import type { Envelope } from "../../engine/events/envelope.ts";
import { filledIn, formatted, summaryOf } from "./formats.ts";

const message: Envelope = {
  event: "tool.before",
  id: "evt_1",
  timestamp: 1_700_000_000,
  session: "s",
  agent: null,
  task: null,
  cwd: "/srv/app",
  source: "claude-code",
  native_event: null,
  tool: {
    name: "shell",
    names: ["shell"],
    command: "git push -f\n<!channel> & @here",
    path: null,
    paths: [],
  },
  decision: { verdict: "deny", reason: "not here", hook: "policy:no" },
  data: { tool_name: "Bash", tool_input: { command: "git push -f" } },
};
const line = "tool.before deny: Bash: git push -f <!channel> & @here · not here · claude-code in /srv/app";

test("a summary says on one line what happened, to what, why and where from", () => {
  assert.equal(summaryOf(message, 1_000), line);
  assert.equal(summaryOf(message, 10), line.slice(0, 10));
  const { decision: _, tool: _tool, ...plain } = message;
  const failed = { ...plain, event: "task.failed", data: { task_id: "t1", error: "it broke" } } as Envelope;
  assert.equal(summaryOf(failed, 1_000), "task.failed: t1 · it broke · claude-code in /srv/app");
});

test("each service gets its own form, in which an agent's text mentions nobody", () => {
  const sent = (format: Parameters<typeof formatted>[0]) => JSON.parse(formatted(format, message));
  assert.deepEqual(sent("slack"), {
    text: line.replace("<!channel> & @here", "&lt;!channel&gt; &amp; @here"),
  });
  assert.deepEqual(sent("discord"), { content: line, allowed_mentions: { parse: [] } });
  const [{ content }] = sent("teams").attachments;
  assert.deepEqual(content.body, [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text: line }] }]);
  const { payload, ...event } = sent("pagerduty");
  assert.deepEqual(event, { event_action: "trigger", dedup_key: "evt_1" });
  assert.deepEqual(
    [payload.summary, payload.source, payload.severity, payload.timestamp],
    [line, "claude-code", "error", "2023-11-14T22:13:20.000Z"],
  );
});

test("a body of a hook's own is filled in by path, own keys only", () => {
  const template = {
    text: "{{decision.verdict}}: {{data.tool_input.command}} {{ data.missing }}.",
    whole: "{{data.tool_input}}",
    list: ["{{id}}", 3, null],
    none: "{{constructor.name}}",
    line: "{{summary}}",
  };
  assert.deepEqual(filledIn(template, message), {
    text: "deny: git push -f .",
    whole: { command: "git push -f" },
    list: ["evt_1", 3, null],
    none: null,
    line,
  });
});

test("what is filled in is not looked at for placeholders again", () => {
  const data = { tool_name: "Bash", tool_input: { command: "echo {{decision.reason}}" } };
  assert.equal(
    filledIn("ran {{data.tool_input.command}}", { ...message, data }),
    "ran echo {{decision.reason}}",
  );
});
