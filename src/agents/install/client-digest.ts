import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../base/sha256.ts";
import { readText, writeText } from "./edit-files.ts";

/** The files a client is made of, and the digest of each when it was made. */
type ClientDigests = Readonly<Record<string, string>>;

/**
 * Notes what the client is, so that another program in its place can be seen. Who can replace the client can replace this
 * note as well: it finds what was swapped carelessly, and `swarm verify` finds the rest.
 */
export function noteClient(home: string, files: readonly string[]): void {
  const digests = Object.fromEntries(files.map((file) => [file, digestOf(file)]));
  writeText(noteFile(home), `${JSON.stringify(digests, null, 2)}\n`);
}

/** What is wrong with the client an entry starts; null: it is what was made, or nothing was noted. */
export function clientProblem(home: string, program: string): string | null {
  const noted = readNote(home);
  if (noted === null) return null;
  if (noted[program] === undefined) return `${program} is not the program that swarm install made`;
  const changed = Object.entries(noted).find(
    ([file, digest]) => !existsSync(file) || digestOf(file) !== digest,
  );
  return changed === undefined ? null : `${changed[0]} is not the program that swarm install made`;
}

function readNote(home: string): ClientDigests | null {
  const text = readText(noteFile(home));
  try {
    return text === null ? null : (JSON.parse(text) as ClientDigests);
  } catch {
    return {}; // somebody wrote in it: the next install makes it new
  }
}

function noteFile(home: string): string {
  return join(home, "client.json");
}

function digestOf(file: string): string {
  return sha256(readFileSync(file)).toString("hex");
}
