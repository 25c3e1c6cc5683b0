import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readIfThere } from "../../base/private-file.ts";
import { readDocument } from "../document.ts";
import type { ConfigNode } from "../node.ts";

/** The same path from src/config/policy and dist/config/policy. */
const root = join(import.meta.dirname, "..", "..", "..");

/** Policies that come with the package. */
export const shippedPolicies = ["starter"] as const;

export function isShipped(name: string): boolean {
  return (shippedPolicies as readonly string[]).includes(name);
}

/** The text of a policy that comes with the package. */
export function shippedPolicy(name: string): { readonly file: string; readonly text: string } {
  const file = join(root, "policies", `${name}.yaml`);
  return { file, text: readFileSync(file, "utf8") };
}

/** A shipped policy as the build has parsed it. */
export interface ParsedPolicy {
  readonly text: string;
  readonly document: ConfigNode | null;
}

export function parsedFileOf(name: string): string {
  return join(root, "dist", "policies", `${name}.json`);
}

/**
 * The same as data. Parsing the starter takes as long as Node's own start, and without a daemon an agent waits for it on
 * every tool call: what the build has parsed is taken, if it is of this text.
 */
export function shippedDocument(name: string, parsedFile: string = parsedFileOf(name)): ConfigNode | null {
  const { file, text } = shippedPolicy(name);
  const parsed = JSON.parse(readIfThere(parsedFile) ?? "null") as ParsedPolicy | null;
  return parsed?.text === text ? parsed.document : readDocument(file, text);
}
