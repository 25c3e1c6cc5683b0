import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessLimits } from "./process-limits.ts";
import { processNamespace } from "./process-namespace.ts";
import { type ProcessResult, type ProcessSpec, runProcess } from "./run-process.ts";
import type { Sandbox } from "./sandbox.ts";

export const isLinux = process.platform === "linux";
export const linuxOnly = isLinux ? false : "needs /proc";

/** Why a program cannot have a process namespace here, or false. */
export const namespaceOnly = processNamespace().problem ?? false;

/** Long enough never to pass in a test; a child that is not ended in time hangs its test instead of passing it. */
const farMs = 600_000;

/** What a test starts, and the folder it happens in. Everything that wrote its pid there is gone when it ends. */
export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), "swarm-process-"));
  readonly spillFolder = join(this.folder, "spill");

  constructor(t: TestContext) {
    chmodSync(this.folder, 0o777); // programs of another user write here too
    t.after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  spec(argv: ProcessSpec["argv"], changes: Partial<ProcessSpec> = {}): ProcessSpec {
    const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
    const rest = { cwd: this.folder, env, stdin: "", timeoutMs: farMs, spillFolder: this.spillFolder };
    return { argv, ...rest, ...changes };
  }

  run(argv: ProcessSpec["argv"], changes: Partial<ProcessSpec> = {}, limits: Partial<ProcessLimits> = {}) {
    return runProcess(this.spec(argv, changes), limits);
  }

  sh(line: string, changes: Partial<ProcessSpec> = {}, limits: Partial<ProcessLimits> = {}) {
    return this.run(["/bin/sh", "-c", line], changes, limits);
  }

  /** Runs a program until it has written the named file, then aborts it. */
  async cancelOnce(file: string, argv: ProcessSpec["argv"], limits: Partial<ProcessLimits> = {}) {
    const abort = new AbortController();
    const run = this.run(argv, { signal: abort.signal }, { killGraceMs: 200, ...limits });
    await this.written(file);
    abort.abort();
    return run;
  }

  script(name: string, text: string, mode = 0o755): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  /** The named file's text, once it ends in a line break. */
  async written(name: string): Promise<string> {
    const path = join(this.folder, name);
    return eventually(() => {
      const text = existsSync(path) ? readFileSync(path, "utf8") : "";
      return text.endsWith("\n") ? text : null;
    }, `${name} was never written`);
  }

  async pid(name: string): Promise<number> {
    return Number.parseInt(await this.written(name), 10);
  }

  /** The process that wrote its pid to the named file is dead; one nobody has waited for counts as dead. */
  async gone(name: string): Promise<void> {
    const pid = await this.pid(name);
    assert.ok(pid > 1, `${name} holds a pid`);
    try {
      await eventually(() => (isAlive(pid) ? null : true), `process ${pid} of ${name} is still running`);
    } finally {
      end(pid);
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isLinux || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

export function end(pid: number): void {
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
}

export async function eventually<T>(look: () => T | null, otherwise: string): Promise<T> {
  for (let tries = 0; tries < 4_000; tries++) {
    const found = look();
    if (found !== null) return found;
    await sleep(5);
  }
  throw new Error(otherwise);
}

export const runOne = join(import.meta.dirname, "run-one.cases.ts");

/** Runs it in a process of its own that is not root: root may enter any folder and write any file. */
export function runUnprivileged(spec: ProcessSpec, sandbox: Sandbox = "off"): ProcessResult {
  const args = [...process.execArgv, runOne, JSON.stringify(spec), sandbox];
  const { status, stdout, stderr } = spawnUnprivileged(args);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as ProcessResult;
}

/** Why a program cannot be run as another user here, or false. */
export const unprivilegedOnly = spawnUnprivileged(["--version"]).status === 0 ? false : "needs setpriv";

export function spawnUnprivileged(args: readonly string[]) {
  const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath];
  const [program = "", ...rest] = process.getuid?.() === 0 ? ["setpriv", ...nobody] : [process.execPath];
  return spawnSync(program, [...rest, ...args], {
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 10_000_000,
    cwd: "/",
  });
}
