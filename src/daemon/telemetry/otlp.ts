import { invalidOption } from "../../base/invalid-option.ts";
import { version } from "../../base/version.ts";
import type { Attributes, Span } from "./span.ts";

/** Where spans go, as OpenTelemetry's own variables say it. */
export interface OtlpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
}

type Env = Readonly<Record<string, string | undefined>>;

export function otlpTarget(env: Env): OtlpTarget {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT || "http://localhost:4318";
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || `${base.replace(/\/+$/, "")}/v1/traces`;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    const option = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
      ? "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
      : "OTEL_EXPORTER_OTLP_ENDPOINT";
    const expected = "an http or https address";
    throw invalidOption("environment", option, expected, url);
  }
  const headers = pairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS || env.OTEL_EXPORTER_OTLP_HEADERS);
  const resource = {
    ...pairs(env.OTEL_RESOURCE_ATTRIBUTES),
    "service.name": env.OTEL_SERVICE_NAME || "swarm-hooks",
    "service.version": version(),
  };
  return { url, headers, resource };
}

/** `a=b,c=d`, percent-encoded; what is no pair is left out, as the specification says. */
function pairs(text: string | undefined): Record<string, string> {
  const found = (text ?? "").split(",").map((pair) => /^\s*([^=\s]+)\s*=(.*)$/.exec(pair));
  return Object.fromEntries(
    found.flatMap((pair) => (pair === null ? [] : [[pair[1], decoded(pair[2] ?? "")]])),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}

/** The body of a request, in OTLP's JSON: ids in hex, 64-bit numbers as text. */
export function otlpBody(spans: readonly Span[], resource: Attributes): string {
  const scope = { name: "swarm-hooks", version: version() };
  const scopeSpans = [{ scope, spans: spans.map(spanBody) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: list(resource) }, scopeSpans }] });
}

const internalKind = 1;
const errorStatus = 2;

function spanBody({ traceId, spanId, parentSpanId, name, startMs, endMs, attributes, error }: Span) {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind: internalKind,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(Math.max(startMs, endMs)),
    attributes: list(attributes),
    status: error === null ? {} : { code: errorStatus, message: error },
  };
}

/** A number has 53 bits, and nanoseconds since 1970 need 61: whole milliseconds and the rest are added as such. */
function nanos(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}

function list(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueBody(value) }));
}

function valueBody(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  return typeof value === "boolean" ? { boolValue: value } : { doubleValue: value };
}
