import { socketPath } from "../../base/sockets.ts";
import { tellingVariables } from "../port/adapter.ts";
import { argumentsByDefault, type ClientPlace } from "./client-place.ts";

/** Settings stand behind it in the client's file; its one other place is `native/swarm-hook.c`. */
const beginning = Buffer.from("swarm-hook settings 1\n");

/** What the client has to know, as it reads it: texts that end in NUL each, a list as its length and its items. */
export function clientSettings({ home, node, cli, environment, refusals }: ClientPlace): Buffer {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const list = (items: readonly string[]) => [String(items.length), ...items];
  const texts = [
    socketPath(home, "hook"),
    node,
    cli,
    ...list(tellingVariables),
    ...list(argumentsByDefault),
    ...list(variables),
    String(refusals.length),
    ...refusals.flatMap(({ agent, event, exitCode, texts: said }) => [
      agent,
      event,
      String(exitCode),
      ...list(said),
    ]),
  ];
  // A NUL within one would end it, and what follows would be taken for the next.
  const split = texts.find((text) => text.includes("\0"));
  if (split !== undefined) throw new TypeError(`a setting of the client has a NUL: ${JSON.stringify(split)}`);
  return Buffer.from(texts.map((text) => `${text}\0`).join(""));
}

/** A client that was compiled elsewhere, with settings put into it; a text is why that cannot be done. */
export function withSettings(program: Buffer, settings: Buffer): Buffer | string {
  const at = program.indexOf(beginning);
  if (at === -1 || program.indexOf(beginning, at + 1) !== -1) return "it has no place for settings";
  const start = at + beginning.length;
  let end = start;
  while (end < program.length && program[end] === 0) end++;
  // The compiler has filled the room with NUL; what stands behind it may begin with some as well.
  const room = Math.min(end - start, settingsRoom - beginning.length);
  if (settings.length > room)
    return `its place for settings has ${room} bytes, ${settings.length} are needed`;
  const filled = Buffer.from(program);
  settings.copy(filled, start);
  return filled;
}

/** Bytes that `scripts/build-clients.mjs` leaves for settings and the line they begin with. */
const settingsRoom = 32 * 1024;
