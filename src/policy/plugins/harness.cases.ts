import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

export type Files = Readonly<Record<string, string | Uint8Array | object>>;

/** A folder of one test's own. */
export function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "swarm-plugins-")));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Writes files, objects as JSON; what begins with `#!` can be executed. */
export function write(root: string, files: Files): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const isData = typeof content === "object" && !(content instanceof Uint8Array);
    const bytes = isData ? JSON.stringify(content) : content;
    writeFileSync(file, bytes);
    chmodSync(file, String(bytes).startsWith("#!") ? 0o755 : 0o644);
  }
  return root;
}

export const manifest = (more: object = {}) => ({ name: "acme", version: "1.0.0", ...more });
