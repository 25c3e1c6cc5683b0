import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markStopped } from "../../src/cli/stop-mark.ts";
import { isAlive } from "../../src/handlers/process/harness.cases.ts";
import { endStartedDaemons } from "./started-daemons.ts";

export const bin = join(import.meta.dirname, "../../bin/swarm");

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A daemon as its own process. */
export interface Up {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  /** All it has printed so far. */
  printed(): string;
  readonly ended: Promise<Ended>;
}

/** Whoever is over some time, and has things to do then: a test. */
interface Owner {
  after(work: () => Promise<void>): void;
}

/** A place whose project's hooks are approved. */
export async function trustedPlace(t: Owner, config: string, home?: string): Promise<Place> {
  const place = new Place(t, config, home);
  await place.trust();
  return place;
}

/** A home and a project of one test's own; whatever it starts there is gone when the test is over. */
export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-e2e-")));
  readonly home: string;
  readonly project = join(this.folder, "project");
  readonly env: NodeJS.ProcessEnv;
  readonly #children = new Set<ChildProcess>();

  constructor(t: Owner, config = "hooks: []\n", home?: string) {
    this.home = home ?? join(this.folder, "home");
    this.env = { ...process.env, SWARM_HOME: this.home, NO_COLOR: undefined, FORCE_COLOR: undefined };
    mkdirSync(this.project);
    this.write("swarm.yaml", config);
    t.after(() => this.#leave());
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.project, name), text);
  }

  /** Approves the project's hooks as a person would who has looked at them. */
  async trust(): Promise<void> {
    const { status, stderr } = await this.swarm("trust", "--yes");
    assert.equal(status, 0, stderr);
  }

  /** Starts a program here. */
  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(command, args, { cwd: this.project, env: { ...this.env, ...env } });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return child;
  }

  /** Runs one command line to its end. */
  async swarm(...args: string[]): Promise<Ended> {
    const ended = await endOf(this.start(process.execPath, [bin, ...args]));
    // The clients that were installed start no daemon: with one and without one are two cases.
    if (args[0] === "install" && ended.status === 0) markStopped(this.home);
    return ended;
  }

  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const { status, stdout, stderr } = await this.swarm(...args, "--json");
    assert.deepEqual([status, stderr], [0, ""], args.join(" "));
    return JSON.parse(stdout) as T;
  }

  /** What `swarm doctor` finds; its exit code says whether that is anything to worry about. */
  async doctor(): Promise<{ level: string; about: string; finding: string }[]> {
    const { status, stdout } = await this.swarm("doctor", "--json");
    const findings = JSON.parse(stdout) as { level: string; about: string; finding: string }[];
    assert.equal(status, findings.some(({ level }) => level === "broken" || level === "inert") ? 1 : 0);
    return findings;
  }

  /** Starts the daemon and waits for its first line. */
  async up(...args: string[]): Promise<Up> {
    const child = this.start(process.execPath, [bin, "up", "--port", "0", ...args]);
    let printed = "";
    const ended = endOf(child);
    const [line] = await Promise.race([
      new Promise<[string]>((resolve) => {
        child.stdout?.on("data", (chunk) => {
          printed += chunk;
          if (printed.includes("\n")) resolve([printed.split("\n")[0] ?? ""]);
        });
      }),
      ended.then(({ stderr }) => assert.fail(`the daemon ended: ${stderr}`)),
    ]);
    const port = /^listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1] ?? assert.fail(line);
    return { child, pid: child.pid ?? 0, port: Number(port), printed: () => printed, ended };
  }

  token(): string {
    return readFileSync(join(this.home, "token"), "utf8").trim();
  }

  /** One call over the port, as any program would make it. */
  call(port: number, method: string, path: string, body?: unknown) {
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${this.token()}` };
    return new Promise<{ status: number; type: string; body: Record<string, unknown> }>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, method, path, headers, agent: false };
      const call = request(options, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => {
          const type = response.headers["content-type"] ?? "";
          resolve({ status: response.statusCode ?? 0, type, body: JSON.parse(text) });
        });
      });
      call.on("error", reject);
      call.end(body === undefined ? "" : JSON.stringify(body));
    });
  }

  /** Waits until a file of the project is there and has been written to. */
  async written(name: string): Promise<string> {
    const file = join(this.project, name);
    await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
    return readFileSync(file, "utf8").trim();
  }

  async #leave(): Promise<void> {
    for (const child of this.#children) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await endStartedDaemons(this.home);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function endOf(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, stdout, stderr };
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

export async function gone(pid: number): Promise<void> {
  await until(() => !isAlive(pid));
}

const isThere = ["/usr/bin/script", "/bin/script"].some((file) => existsSync(file));
/** Why nothing can be started on a terminal here; false when it can. */
export const noTerminal =
  isThere && process.platform === "linux" ? false : "needs script, of util-linux, for a terminal";

/** Starts a command line on a terminal of its own. */
export function onTerminal(place: Place, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const line = [process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  // A shell that stays between dies of the Ctrl-C it shares. CI is where Node takes no terminal to have colours.
  const own = { TERM: "xterm-256color", SHELL: "/bin/sh", CI: undefined, NODE_DISABLE_COLORS: undefined };
  return place.start("script", ["-qfec", `exec ${line}`, "/dev/null"], { ...own, ...env });
}
