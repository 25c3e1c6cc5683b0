import { maskSecrets } from "../base/redact.ts";
import { show } from "../base/show.ts";
import type { ConfigNode } from "./node.ts";

/**
 * How much of a file an error message may quote. The file may be another than the one that was meant: a hard link to a
 * key, a policy that is somebody's credentials. Texts are therefore shown only when they stand under a key that is
 * known, are short, and do not look like a secret; of all else the type and the length are told.
 */
export function showValue(value: unknown): string {
  if (typeof value !== "string") return show(value);
  return isShowable(value, 80) ? show(value) : lengthOf(value);
}

/** A key nobody knows: helpful when it is a word that was misspelt. */
export function showKey(key: string): string {
  return /^(?:[A-Za-z_$][\w$.-]*|<<)$/.test(key) && isShowable(key, 40)
    ? show(key)
    : `of ${key.length} characters`;
}

/** What a part is, and nothing of what it says. */
export function typeOf(node: ConfigNode): string {
  if (node.kind !== "scalar") return `a ${node.kind}`;
  if (node.value === null) return "empty";
  return typeof node.value === "string" ? lengthOf(node.value) : `a ${typeof node.value}`;
}

function lengthOf(text: string): string {
  return `a text of ${text.length} character${text.length === 1 ? "" : "s"}`;
}

function isShowable(text: string, maxChars: number): boolean {
  return text.length <= maxChars && maskSecrets(text) === text && !isOpaque(text);
}

/** A run as generators of keys make them: long, of letters and digits, and no path or name of words. */
function isOpaque(text: string): boolean {
  return (text.match(/[A-Za-z0-9+=_-]{20,}/g) ?? []).some(
    (run) => /^[0-9a-fA-F]+$/.test(run) || (/\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run)),
  );
}
