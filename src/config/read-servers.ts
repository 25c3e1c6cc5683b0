import { dirname, resolve } from "node:path";
import { show } from "../base/show.ts";
import { readAllowPrivate, readGlobs, readHeaders, readUrl } from "./action.ts";
import { type Placed, type PlacedFields, readFields } from "./fields.ts";
import type { HttpTransport, ServerConfig, StdioTransport } from "./hook-config.ts";
import { type ConfigNode, invalid, type MapEntry, type Position, plainOf, showNode } from "./node.ts";
import type { Reading } from "./reading.ts";
import { serverKeys, serverName, serverNeeds, serverTakes } from "./server-keys.ts";
import { substitute } from "./variables.ts";

type ServerFields = PlacedFields<typeof serverKeys>;
type Texts = Readonly<Record<string, string>>;

/** What stands under `mcp_servers:`, in its order. */
export function readServers(reading: Reading, node: ConfigNode): ServerConfig[] {
  if (node.kind === "scalar" && node.value === null) return []; // every server below it is commented out
  if (node.kind === "map") return node.entries.map((entry) => readServer(reading, entry));
  throw invalid(reading.file, node.at, `mcp_servers is ${showNode(node)}, expected a map of servers`);
}

function readServer(reading: Reading, { key: name, at, value }: MapEntry): ServerConfig {
  const { file, owner } = reading;
  if (!serverName.test(name)) {
    const problem = `server ${show(name)} is not a name, expected 1 to 64 letters, digits, dots, _ or -`;
    throw invalid(file, at, problem);
  }
  const fields = readFields(file, value, `server ${name}`, serverKeys);
  const transport = readTransport(reading, name, fields, at);
  return { name, source: { file, ...at }, isUsers: owner === "user", transport, written: plainOf(value) };
}

function readTransport(
  reading: Reading,
  name: string,
  fields: ServerFields,
  at: Position,
): ServerConfig["transport"] {
  const { file } = reading;
  const { command, url } = fields;
  if (command !== undefined && url !== undefined) {
    throw invalid(file, url.keyAt, `${serverNeeds.join(" and ")} are both given, expected one of them`);
  }
  if (command !== undefined) {
    refuseKeysOf("url", file, fields);
    return readProgram(reading, fields, command);
  }
  if (url !== undefined) {
    refuseKeysOf("command", file, fields);
    return readAddress(reading, fields, url);
  }
  throw invalid(file, at, `server ${name} has no ${serverNeeds.join(" and no ")}, expected one`);
}

function refuseKeysOf(way: keyof typeof serverTakes, file: string, fields: ServerFields): void {
  for (const key of serverTakes[way]) {
    const field = fields[key];
    if (field !== undefined) throw invalid(file, field.keyAt, `${key} has a meaning only beside ${way}`);
  }
}

/** As with a hook's program nothing in its arguments is replaced: they are what was approved. */
function readProgram(
  reading: Reading,
  { args, env, cwd, files }: ServerFields,
  command: Placed<readonly string[]>,
): StdioTransport {
  const { file } = reading;
  const [program = "", ...rest] = command.value;
  if (program === "") throw invalid(file, command.at, "command begins with no program");
  if (args !== undefined && rest.length > 0) {
    throw invalid(file, args.keyAt, "args is given beside a command that is a list, expected one of them");
  }
  if (args === undefined && rest.length === 0 && /\s/.test(program)) {
    const problem = `command is ${show(program)}, expected a program: its arguments go into args`;
    throw invalid(file, command.at, problem);
  }
  return {
    kind: "stdio",
    argv: [program, ...rest, ...(args?.value ?? [])],
    env: env === undefined ? {} : readEnv(reading, env),
    cwd: resolve(dirname(file), cwd?.value ?? ""),
    ...(files !== undefined && { files: readGlobs(reading, files) }),
  };
}

function readAddress(
  reading: Reading,
  { headers, allow_private }: ServerFields,
  url: Placed<string>,
): HttpTransport {
  const { file } = reading;
  const sent = headers === undefined ? {} : readHeaders(reading, headers);
  if (headers !== undefined) checkSettled(file, headers.at, Object.values(sent));
  const address = readUrl(reading, url);
  checkSettled(file, url.at, [address]);
  const allowPrivate = allow_private === undefined ? [] : readAllowPrivate(reading, allow_private);
  return { kind: "http", url: address, allowPrivate, headers: sent };
}

function readEnv(reading: Reading, { value, at }: Placed<Texts>): Texts {
  const read = Object.entries(value).map(([name, text]): [string, string] => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw invalid(reading.file, at, `${show(name)} is not the name of an environment variable`);
    }
    return [name, substitute(reading, `env ${name}`, text, at)];
  });
  checkSettled(
    reading.file,
    at,
    read.map(([, text]) => text),
  );
  return Object.fromEntries(read);
}

/** A server outlives the event it was first called for: what only that knows has no meaning here. */
function checkSettled(file: string, at: Position, texts: readonly string[]): void {
  const [variable] = texts.flatMap((text) => /\$\{CLAUDE_[A-Z_]+\}/.exec(text) ?? []);
  if (variable === undefined) return;
  throw invalid(file, at, `${variable} has no meaning for a server, which serves many projects`);
}
