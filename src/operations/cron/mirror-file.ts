import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/**
 * A text with its own digest as its last key, so that an edit by hand is known, whoever has the file by then: `text` is a
 * JSON object that ends with `\n}\n`.
 */
export async function* withDigest(text: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let held = "";
  for await (const part of text) {
    const whole = held + part;
    // What could be its end is kept until it is known whether it is.
    const passed = whole.slice(0, Math.max(0, whole.length - end.length));
    held = whole.slice(passed.length);
    hash.update(passed);
    if (passed !== "") yield passed;
  }
  if (held !== end) throw new Error("the text of a mirror does not end as it should");
  yield digestPart(hash.digest("hex"));
}

const end = "\n}\n";

function digestPart(digest: string): string {
  return `,\n  "sha256": "${digest}"${end}`;
}

const digestBytes = digestPart("0".repeat(64)).length;

/** Whether a file is not as it was written; false: it is, or it is not there. */
export async function isEdited(file: string): Promise<boolean> {
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  const at = Math.max(0, content.length - digestBytes);
  const digest = createHash("sha256").update(content.subarray(0, at)).digest("hex");
  return content.toString("utf8", at) !== digestPart(digest);
}
