import { homedir } from "node:os";

export interface Step {
  readonly name: string;
  /** What it would do and change, in a line. */
  readonly plan: string;
  /** Does it, and says in a line what it did. */
  run(): Promise<string>;
}

/** As people write it. */
export function tilde(file: string): string {
  const home = homedir();
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}
