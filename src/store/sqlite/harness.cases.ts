import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

/** The name of a database in a folder of its own that goes with the test. */
export function temporaryFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-store-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "swarm.db");
}

/** A connection of its own, for what only SQLite can tell. */
export function rawDatabase(t: TestContext, file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  t.after(() => database.isOpen && database.close());
  return database;
}

/** The one number or text a query finds. */
export function found(database: DatabaseSync, query: string): unknown {
  return Object.values(database.prepare(query).get() ?? {})[0];
}

const program = join(import.meta.dirname, "child.cases.ts");

/** A process that has loaded everything and waits for the word. */
export class Child {
  readonly #process: ChildProcess;
  readonly #output: Promise<string>;

  static async ready(t: TestContext, ...args: readonly string[]): Promise<Child> {
    const child = new Child(args);
    t.after(() => child.#process.kill("SIGKILL"));
    await once(child.#process, "message");
    return child;
  }

  private constructor(args: readonly string[]) {
    const stdio = ["ignore", "pipe", "inherit", "ipc"] as const;
    this.#process = spawn(process.execPath, [program, ...args], { stdio: [...stdio] });
    this.#output = text(this.#process.stdout ?? assert.fail());
  }

  go(): void {
    this.#process.send("go");
  }

  /** What it printed, once it has ended. */
  async ended(): Promise<string> {
    if (this.#process.exitCode === null) await once(this.#process, "exit");
    return this.#output;
  }
}

/** Starts them, waits until all are ready, lets them go at once and gives what each printed. */
export async function together(t: TestContext, commands: readonly (readonly string[])[]): Promise<string[]> {
  const children = await Promise.all(commands.map((args) => Child.ready(t, ...args)));
  for (const child of children) child.go();
  return Promise.all(children.map((child) => child.ended()));
}
