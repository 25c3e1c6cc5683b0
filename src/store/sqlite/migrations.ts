import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// The same path from src/store/sqlite and from dist/store/sqlite.
const folder = join(import.meta.dirname, "..", "..", "..", "sql", "sqlite", "migrations");

/** All migrations in order; the first is number 1. A file that was released never changes. */
export function migrations(): { readonly number: number; readonly name: string; text(): string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({
      number: Number.parseInt(name, 10),
      name,
      text: () => readFileSync(join(folder, name), "utf8"),
    }));
}
