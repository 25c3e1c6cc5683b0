import { createHmac } from "node:crypto";
import { dirname, relative } from "node:path";
import { isSecretName } from "../../base/redact.ts";
import type { Action, HookConfig, RequestAction, ServerConfig } from "../../config/hook-config.ts";

/** What stands for a secret: the same as long as the secret is, and nothing to guess it by without the key of this home. */
export type Fingerprint = (secret: string) => string;

export function fingerprintWith(key: () => string): Fingerprint {
  return (secret) => createHmac("sha256", key()).update(secret).digest("hex").slice(0, 16);
}

/**
 * A hook as it is approved: every value that decides what runs and when, read from the very object that is run. Texts are
 * as they are; whoever prints the lines makes them `visible`.
 */
export function definitionOf(
  hook: HookConfig,
  servers: readonly ServerConfig[],
  fingerprint: Fingerprint,
): string[] {
  const { event, nativeEvent, dialect, name, match, when, priority, mode, onFailure, onDenied, timeoutMs } =
    hook;
  if (hook.job !== undefined) return jobLines(hook.job);
  if (hook.declared !== undefined) return declaredLines(hook.declared, fingerprint);
  return [
    `name: ${JSON.stringify(hook.declaredName ?? name)}`,
    `event: ${event}${nativeEvent === event ? "" : `, written ${JSON.stringify(nativeEvent)}`}`,
    `match: ${JSON.stringify(match)}`,
    ...(when === null ? [] : [`when: ${JSON.stringify(when)}`]),
    `mode: ${mode}, on_failure: ${onFailure}, priority: ${priority}, timeout_s: ${timeoutMs / 1_000}`,
    ...(onDenied ? ["on_denied: true"] : []),
    ...(dialect === "swarm" ? [] : [`dialect: ${dialect}`]),
    ...actionLines(hook.action, fingerprint),
    ...servers.flatMap((server) => serverLines(server, fingerprint)),
  ];
}

/** A job says what it does and when; keys it leaves out have the defaults of docs/cron.md. */
function jobLines(job: Readonly<Record<string, unknown>>): string[] {
  return ["type: scheduled job", ...Object.keys(job).map((key) => `${key}: ${JSON.stringify(job[key])}`)];
}

/** Every value of it, one to a line; of its environment as of a server's. */
function declaredLines(declared: Readonly<Record<string, unknown>>, fingerprint: Fingerprint): string[] {
  const { type, environment = {}, ...rest } = declared;
  return [
    `type: ${type}`,
    ...Object.entries(rest).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ...variableLines(environment as Texts, fingerprint),
  ];
}

function variableLines(variables: Texts, fingerprint: Fingerprint): string[] {
  return Object.entries(variables).map(([key, value]) => {
    // One that is no secret may well be code: NODE_OPTIONS, LD_PRELOAD.
    return `env ${key}: ${isSecretName(key) ? hidden(value, fingerprint) : JSON.stringify(value)}`;
  });
}

function actionLines(action: Action, fingerprint: Fingerprint): string[] {
  const type = `type: ${action.kind}`;
  switch (action.kind) {
    case "command":
    case "script":
    case "blocking_script": {
      const { argv, line, files } = action;
      const declared = files === undefined ? [] : [`files: ${JSON.stringify(files)}`];
      if (argv !== null) return [type, `args: ${JSON.stringify(argv)}`, ...declared];
      return [type, "command:", ...(line ?? "").split("\n").map((part) => `  ${part}`), ...declared];
    }
    case "http":
      return [type, ...requestLines(action, fingerprint)];
    case "webhook": {
      const { retry, isRetryCap, maxAgeMs, isUnsigned, legacyPrefix } = action;
      return [
        type,
        ...requestLines(action, fingerprint),
        `retry: ${retry}${isRetryCap ? "" : " (default)"}, max_age_s: ${maxAgeMs / 1_000}`,
        ...(isUnsigned ? ["unsigned: true"] : []),
        ...(action.format === undefined ? [] : [`format: ${action.format}`]),
        ...(action.body === undefined ? [] : [`body: ${JSON.stringify(action.body)}`]),
        ...(action.routingKey === undefined
          ? []
          : [`routing_key: ${hidden(action.routingKey, fingerprint)}`]),
        ...(legacyPrefix === null ? [] : [`legacy_headers: ${JSON.stringify(legacyPrefix)}`]),
      ];
    }
    case "redact":
      return [type, `forms: ${action.forms.join(", ")}`];
    case "function":
      return [type, `module: ${JSON.stringify(action.module)}`, `digest: ${action.digest}`];
    case "mcp_tool":
      return [type, `server: ${JSON.stringify(action.server)}`, `tool: ${JSON.stringify(action.tool)}`];
  }
}

/** As written: with its variables replaced, an address may hold a token, and would change with the environment. */
function requestLines(action: RequestAction, fingerprint: Fingerprint): string[] {
  const { url, secret, previousSecret, headers } = action.written ?? action;
  return [
    `url: ${JSON.stringify(url)}`,
    ...(action.allowPrivate.length === 0 ? [] : [`allow_private: ${JSON.stringify(action.allowPrivate)}`]),
    ...(secret === null ? [] : [`secret: ${hidden(secret, fingerprint)}`]),
    ...(previousSecret === null ? [] : [`previous_secret: ${hidden(previousSecret, fingerprint)}`]),
    ...Object.entries(headers).map(
      ([name, value]) => `header ${JSON.stringify(name)}: ${hidden(value, fingerprint)}`,
    ),
  ];
}

/** A server the project brings for its tool hooks: it is started, or connected to, when they are called. */
function serverLines({ name, source, transport, written }: ServerConfig, fingerprint: Fingerprint): string[] {
  const {
    url,
    env = {},
    headers = {},
  } = written as Partial<Record<"env" | "headers", Texts>> & { url?: string };
  const told = variableLines(env, fingerprint);
  const sent = Object.entries(headers).map(
    ([key, value]) => `header ${JSON.stringify(key)}: ${hidden(value, fingerprint)}`,
  );
  const lines =
    transport.kind === "stdio"
      ? [
          `command: ${JSON.stringify(transport.argv)}`,
          `cwd: ${JSON.stringify(relative(dirname(source.file), transport.cwd) || ".")}`,
          ...(transport.files === undefined ? [] : [`files: ${JSON.stringify(transport.files)}`]),
        ]
      : [`url: ${JSON.stringify(url)}`, `allow_private: ${JSON.stringify(transport.allowPrivate)}`];
  return [`mcp server ${name}:`, ...[...lines, ...told, ...sent].map((line) => `  ${line}`)];
}

type Texts = Readonly<Record<string, string>>;

function hidden(text: string, fingerprint: Fingerprint): string {
  const variables = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  const uses = variables.length === 0 ? "" : `, uses ${variables.join(", ")}`;
  return `hidden${uses} (fingerprint ${fingerprint(text)})`;
}
