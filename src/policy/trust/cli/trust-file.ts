import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { visible } from "../../../base/visible.ts";
import { type ResultOf, withClient } from "../../../cli/client.ts";
import { type CommandInput, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { printError } from "../../../cli/print.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";

type ShownFile = ResultOf<"showTrustedFile">;

/** Shows a file and approves it, or takes that back. */
export async function trustFile({ positionals, flags, isJson }: CommandInput, file: string): Promise<string> {
  if (positionals.length > 0) throw usage("trust", "--file is for one file, and no PATH beside it");
  if (flags.has("ignore")) throw usage("trust", "--file and --ignore do not go together");
  const path = resolve(file);
  return withClient(async (client) => {
    if (flags.has("revoke")) {
      // Bytes that are there no more can only be named by their digest.
      const named = /^[0-9a-f]{64}$/.test(file) ? file : path;
      const revoked = await client.call("revokeFile", { body: { file: named } });
      const digests = revoked.items.map(({ sha256 }) => `revoked: ${sha256} is not loaded any more\n`);
      return isJson ? json(revoked) : digests.join("");
    }
    const shown = await client.call("showTrustedFile", { query: { path } });
    const lines = fileLines(shown);
    if (flags.has("show") || (isJson && !flags.has("yes"))) return isJson ? json(shown) : lines;
    if (shown.state === "trusted")
      return isJson ? json(shown) : `${lines}approved already: there is nothing to decide\n`;
    // On stderr, so that it is seen before the question, and by whoever keeps the output.
    if (!isJson) printError(lines);
    if (!flags.has("yes") && !(await isWanted("Approve it, as it is now?"))) return "nothing was decided\n";
    const approved = await client.call("approveFile", { body: { path, sha256: shown.sha256 } });
    return isJson ? json(approved) : "approved: these bytes are loaded from now on, from a copy of ours\n";
  });
}

export async function listTrustedFiles({ isJson }: CommandInput): Promise<string> {
  const list = await withClient((client) => client.call("listTrustedFiles"));
  if (isJson) return json(list);
  if (list.items.length === 0) return "no file is approved: swarm trust --file PATH\n";
  const rows = list.items.map(({ path, sha256, bytes, time, actor }) => [
    path,
    sha256.slice(0, 16),
    String(bytes),
    time,
    actor,
  ]);
  return table(["FILE", "SHA256", "BYTES", "APPROVED", "BY"], rows);
}

export async function isWanted(question: string, command = "trust"): Promise<boolean> {
  const other = command === "trust" ? ", or --show" : "";
  if (process.stdin.isTTY !== true)
    throw usage(command, `there is nobody to ask: add --yes to approve what is shown above${other}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function fileLines({ path, state, sha256, bytes, approved }: ShownFile): string {
  const format = state === "trusted" ? "green" : "yellow";
  return [
    style(format, `${visible(path)}: ${state}, ${bytes} bytes, sha256 ${sha256}`),
    ...(approved === null
      ? []
      : [
          `  ${state === "changed" ? `was approved as ${approved.sha256}` : "approved"} ${approved.time} by ${visible(approved.actor)}`,
        ]),
    style(
      "yellow",
      "  note: loading it runs whatever code it holds; approve it only if you know who made it",
    ),
    "",
  ].join("\n");
}
