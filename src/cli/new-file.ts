import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { usage } from "./command.ts";

/** A file to be written. Whoever has waited for minutes should not be told then that there is no place for it. */
export function newFile(command: string, name: string): string {
  const file = resolve(name);
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw usage(command, `${name} cannot be written: ${(error as Error).message}`);
  }
  if (existsSync(file)) throw usage(command, `${name} is there already, expected a name for a new file`);
  return file;
}
