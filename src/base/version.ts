import { readFileSync } from "node:fs";

/** The version of this package. */
export function version(): string {
  return readManifest(new URL(".", import.meta.url)).version;
}

/** The nearest package.json above: this module is two folders below it as it stands, and three in a bundle. */
function readManifest(folder: URL): { version: string } {
  try {
    return JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  } catch (error) {
    const above = new URL("..", folder);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || above.href === folder.href) throw error;
    return readManifest(above);
  }
}
