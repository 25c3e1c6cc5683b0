import { readFileSync } from "node:fs";

/** The package's version, from the one place it is written. The path holds from src/base and from dist/base. */
export function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
