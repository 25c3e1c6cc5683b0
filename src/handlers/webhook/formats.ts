import { cut, oneLine } from "../../base/show.ts";
import type { Envelope } from "../../engine/events/envelope.ts";
import type { WebhookFormat } from "../../net/webhook-formats.ts";

/** Messages in the words of each service; what comes from an agent is text there, never a mention or a link of it. */
const formats: Readonly<Record<WebhookFormat, (message: Envelope) => unknown>> = {
  slack: (message) => ({ text: escaped(summaryOf(message, 3_000)) }),
  discord: (message) => ({ content: summaryOf(message, 1_900), allowed_mentions: { parse: [] } }),
  teams: (message) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          type: "AdaptiveCard",
          version: "1.4",
          body: [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text: summaryOf(message, 3_000) }] }],
        },
      },
    ],
  }),
  pagerduty: (message) => ({
    event_action: "trigger",
    dedup_key: message.id,
    payload: {
      summary: summaryOf(message, 1_000),
      source: message.source ?? "swarm-hooks",
      severity: message.decision?.verdict === "deny" ? "error" : "warning",
      timestamp: new Date(message.timestamp * 1_000).toISOString(),
      custom_details: message,
    },
  }),
};

/** The body a service takes for an event; secrets in the message are replaced already. */
export function formatted(format: WebhookFormat, message: Envelope): string {
  return JSON.stringify(formats[format](message));
}

/** One line that says what happened, to whom and why. */
export function summaryOf(message: Envelope, maxChars: number): string {
  const { event, tool, data, decision, agent, source, cwd } = message;
  const payload = (data ?? {}) as Readonly<Record<string, unknown>>;
  const named = ["tool_name", "title", "message", "name", "task_id", "branch"].find(
    (key) => typeof payload[key] === "string",
  );
  const what = tool?.command ?? tool?.path ?? null;
  const parts = [
    decision === undefined || decision.verdict === "none" ? event : `${event} ${decision.verdict}`,
    ...(named === undefined ? [] : [String(payload[named])]),
    ...(what === null ? [] : [what]),
  ];
  const why = decision?.reason ?? payload.reason ?? payload.error;
  const from = [agent ?? source, cwd].filter(Boolean).join(" in ");
  const told = [parts.join(": "), ...(typeof why === "string" ? [why] : []), ...(from === "" ? [] : [from])];
  return cut(oneLine(told.join(" · ")), maxChars);
}

/** Slack reads `<!channel>` and `<https://…|text>` in a text. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A body as a file has it, with `{{path}}` in its texts filled in from the message: `{{data.tool_name}}`, `{{decision.reason}}`. */
export function filledIn(template: unknown, message: Envelope): unknown {
  if (typeof template === "string") return filledText(template, message);
  if (Array.isArray(template)) return template.map((part) => filledIn(part, message));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, filledIn(part, message)]));
}

const placeholder = /\{\{\s*([\w.]{1,200})\s*\}\}/g;

/** A text that is one placeholder becomes what it stands for, whatever that is; among other words it becomes a text. */
function filledText(template: string, message: Envelope): unknown {
  const [whole, path] = /^\{\{\s*([\w.]{1,200})\s*\}\}$/.exec(template) ?? [];
  if (whole !== undefined) return valueAt(message, path ?? "") ?? null;
  return template.replaceAll(placeholder, (_, path: string) => {
    const value = valueAt(message, path);
    return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
  });
}

/** Own keys only; `summary` is the line that services get. */
function valueAt(message: Envelope, path: string): unknown {
  if (path === "summary") return summaryOf(message, 3_000);
  let value: unknown = message;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
