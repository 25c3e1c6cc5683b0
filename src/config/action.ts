import type { WebhookFormat } from "../net/webhook-formats.ts";
import { show } from "../base/show.ts";
import { compilePathGlob } from "../engine/hooks/path-glob.ts";
import { allowedWords, readAllowed } from "../net/address.ts";
import { urlProblem } from "../net/check-url.ts";
import { secretProblem } from "../net/standard-webhooks.ts";
import type { Placed } from "./fields.ts";
import type { CommandAction, HttpAction, WebhookAction } from "./hook-config.ts";
import { deliveryDefaults } from "./kinds.ts";
import { type ConfigNode, checkAt, invalid, plainOf } from "./node.ts";
import { pluginOf, type Reading } from "./reading.ts";
import { substitute } from "./variables.ts";

type Headers = Readonly<Record<string, string>>;

/** Nothing in it is replaced: a line belongs to the shell, and an argument is what was approved. */
export function programAction(
  reading: Reading,
  kind: CommandAction["kind"],
  line: string | null,
  argv: Placed<readonly string[]> | undefined,
  files: Placed<readonly string[]> | undefined,
): CommandAction {
  if (argv?.value[0] === "") throw invalid(reading.file, argv.at, "args begins with no program");
  const pluginRoot = pluginOf(reading)?.root ?? null;
  const declared = files === undefined ? {} : { files: readGlobs(reading, files) };
  return { kind, argv: argv?.value ?? null, line, pluginRoot, ...declared };
}

export function readGlobs(reading: Reading, { value, at }: Placed<readonly string[]>): readonly string[] {
  for (const glob of value) {
    checkAt(reading.file, at, () => compilePathGlob("files", glob));
    if (glob.startsWith("/"))
      throw invalid(reading.file, at, `files has ${show(glob)}, expected paths from this file's folder`);
  }
  return value;
}

/** What a hook that sends says about where to, in any dialect. */
export interface RequestFields {
  readonly url: Placed<string>;
  readonly secret?: Placed<string> | undefined;
  readonly previousSecret?: Placed<string> | undefined;
  readonly headers?: Placed<Headers> | undefined;
  readonly allowPrivate?: Placed<readonly string[]> | undefined;
}

export function httpAction(reading: Reading, fields: RequestFields): HttpAction {
  return { kind: "http", ...readRequest(reading, fields) };
}

export interface DeliveryFields {
  readonly unsigned?: Placed<boolean> | undefined;
  readonly retry?: Placed<number> | undefined;
  readonly maxAge?: Placed<number> | undefined;
  readonly legacyHeaders?: Placed<string> | undefined;
  readonly format?: Placed<WebhookFormat> | undefined;
  readonly body?: Placed<ConfigNode> | undefined;
  readonly routingKey?: Placed<string> | undefined;
}

export function webhookAction(reading: Reading, fields: RequestFields & DeliveryFields): WebhookAction {
  const { unsigned, retry, maxAge, legacyHeaders } = fields;
  const request = readRequest(reading, fields);
  if (unsigned?.value === true && request.secret !== null) {
    throw invalid(reading.file, unsigned.at, "unsigned is true and there is a secret, expected one of them");
  }
  return {
    kind: "webhook",
    ...request,
    isUnsigned: unsigned?.value ?? false,
    retry: retry?.value ?? deliveryDefaults.retry,
    isRetryCap: retry !== undefined,
    maxAgeMs: (maxAge?.value ?? deliveryDefaults.maxAgeS) * 1_000,
    legacyPrefix: legacyHeaders?.value ?? null,
    ...readForm(reading, fields),
  };
}

/** In which form messages are sent; nothing where it is the event as programs get it. */
function readForm(
  reading: Reading,
  { format, body, routingKey }: DeliveryFields,
): Pick<WebhookAction, "format" | "body" | "routingKey"> {
  const { file } = reading;
  if (format !== undefined && body !== undefined)
    throw invalid(file, body.at, "format and body are both given, expected one of them");
  if (body !== undefined && body.value.kind !== "map")
    throw invalid(file, body.at, "body is no map, expected what is to be sent as JSON");
  const isPagerDuty = format?.value === "pagerduty";
  if (routingKey !== undefined && !isPagerDuty)
    throw invalid(file, routingKey.at, "routing_key has no meaning without format: pagerduty");
  if (format !== undefined && isPagerDuty && routingKey === undefined)
    throw invalid(file, format.at, "format is pagerduty, expected a routing_key with it");
  return {
    ...(format !== undefined && { format: format.value }),
    ...(body !== undefined && { body: plainOf(body.value) }),
    ...(routingKey !== undefined && { routingKey: readSecret(reading, "routing_key", routingKey) }),
  };
}

function readRequest(reading: Reading, fields: RequestFields) {
  const { url, secret, previousSecret, headers, allowPrivate } = fields;
  if (secret === undefined && previousSecret !== undefined) {
    throw invalid(reading.file, previousSecret.at, "previous_secret has no secret beside it, expected one");
  }
  const written = {
    url: url.value,
    secret: secret?.value ?? null,
    previousSecret: previousSecret?.value ?? null,
    headers: headers?.value ?? {},
  };
  const read = {
    url: readUrl(reading, url),
    secret: secret === undefined ? null : readSecret(reading, "secret", secret),
    previousSecret:
      previousSecret === undefined ? null : readSecret(reading, "previous_secret", previousSecret),
    headers: headers === undefined ? {} : readHeaders(reading, headers),
  };
  const isReplaced = JSON.stringify(read) !== JSON.stringify(written);
  const allowed = allowPrivate === undefined ? [] : readAllowPrivate(reading, allowPrivate);
  return { ...read, allowPrivate: allowed, ...(isReplaced && { written }) };
}

export function readUrl(reading: Reading, { value, at }: Placed<string>): string {
  const url = substitute(reading, "url", value, at);
  const problem = urlProblem(url);
  // As written: a variable may hold a token, and a password must not be told to a log.
  const shown = problem?.includes("user name") ? "has a user name in it" : `is ${show(value)}`;
  if (problem !== null) throw invalid(reading.file, at, `url ${shown}, expected ${problem}`);
  return url;
}

export function readSecret(reading: Reading, key: string, { value, at }: Placed<string>): string {
  const secret = substitute(reading, key, value, at);
  const problem = secretProblem(secret);
  if (problem !== null) throw invalid(reading.file, at, `${key} is not usable, expected ${problem}`);
  return secret;
}

export function readAllowPrivate(
  reading: Reading,
  { value, at }: Placed<readonly string[]>,
): readonly string[] {
  if (pluginOf(reading) !== null) {
    const problem =
      "allow_private is not a plugin's to give, expected addresses of the public internet alone";
    throw invalid(reading.file, at, problem);
  }
  const wrong = value.find((written) => readAllowed(written) === null);
  if (wrong === undefined) return value;
  const expected = `an address, a block such as 10.0.0.0/8, ${allowedWords.join(" or ")}`;
  throw invalid(reading.file, at, `allow_private has ${show(wrong)}, expected ${expected}`);
}

/** They say how the message is cut and where it goes, or who sent it: all that is ours to say. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer|webhook-(id|timestamp|signature))$/i;

export function readHeaders(reading: Reading, { value: headers, at }: Placed<Headers>): Headers {
  const read = Object.entries(headers).map(([name, text]): [string, string] => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw invalid(reading.file, at, `header ${show(name)} is not a header's name`);
    }
    if (ownHeaders.test(name)) {
      throw invalid(
        reading.file,
        at,
        `header ${name} cannot be set, expected another: the request has its own`,
      );
    }
    const value = substitute(reading, `header ${name}`, text, at);
    // A line break would begin another header.
    if (/[\p{Cc}]/u.test(value.replaceAll("\t", " "))) {
      throw invalid(reading.file, at, `header ${name} has a line break or control character`);
    }
    if (/[^\0-\xff]/.test(value)) {
      throw invalid(reading.file, at, `header ${name} has a character beyond Latin-1, which cannot be sent`);
    }
    return [name, value];
  });
  return Object.fromEntries(read);
}
