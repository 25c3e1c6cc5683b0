import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { AgentReport } from "../../src/agents/verify/check.ts";
import { installAgent, path, programOf, type RealAgent } from "./install-agents.ts";

const bin = join(import.meta.dirname, "../../bin/swarm");

/** The folder each agent has in its user's home. */
const folders: Readonly<Record<RealAgent, string>> = {
  "claude-code": ".claude",
  codex: ".codex",
  "gemini-cli": ".gemini",
  "qwen-code": ".qwen",
  copilot: ".copilot",
  opencode: ".config/opencode",
};

/** Somebody with a home of their own, some agents, and one guard. */
export class Person {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "swarm-person-")));
  readonly project = join(this.home, "project");
  readonly env: Readonly<Record<string, string>>;
  #daemon: ChildProcess | null = null;

  constructor(...agents: RealAgent[]) {
    for (const folder of [...agents.map((agent) => folders[agent]), ".swarm", "project"]) {
      mkdirSync(join(this.home, folder), { recursive: true });
    }
    writeFileSync(join(this.home, ".swarm/config.yaml"), guard);
    const programs = agents.map((agent) => [programOf(agent).programVariable, installAgent(agent)]);
    this.env = { PATH: path, HOME: this.home, ...Object.fromEntries(programs) };
  }

  program(agent: RealAgent): string {
    return this.env[programOf(agent).programVariable] ?? "";
  }

  swarm(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    const options = { cwd: this.project, env: this.env, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], options);
    return { status, stdout, stderr };
  }

  /** What `swarm verify` finds, and what it prints. */
  verify(...agents: string[]): { status: number | null; reports: AgentReport[]; printed: string } {
    const { status, stdout, stderr } = this.swarm("verify", ...agents, "--json");
    if (stdout === "") throw new Error(stderr);
    const reports = JSON.parse(stdout) as AgentReport[];
    return { status, reports, printed: stdout };
  }

  async startDaemon(): Promise<void> {
    const child = spawn(process.execPath, [bin, "up", "--port", "0"], {
      cwd: this.project,
      env: this.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#daemon = child;
    const ended = once(child, "exit").then(() => Promise.reject(new Error("the daemon has not come up")));
    await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
    ended.catch(() => undefined); // later on, that is what it is for
  }

  /** It accepts calls then, and answers none. */
  stopDaemon(): void {
    this.#daemon?.kill("SIGSTOP");
  }

  /** As the kernel does when memory runs out. */
  async killDaemon(): Promise<void> {
    if (this.#daemon === null || this.#daemon.exitCode !== null) return;
    const ended = once(this.#daemon, "exit");
    this.#daemon.kill("SIGKILL");
    this.#daemon = null;
    await ended;
  }

  /** The same person in a shell with more variables. */
  with(shell: Readonly<Record<string, string>>): Person {
    const other = Object.create(this) as Person;
    Object.defineProperty(other, "env", { value: { ...this.env, ...shell } });
    return other;
  }

  /** Keeps the whole home, and returns how to have it again. */
  remember(): () => void {
    const copy = `${this.home}-copy`;
    cpSync(this.home, copy, { recursive: true, filter: (file) => !/\.(sock|lock)$/.test(file) });
    return () => {
      for (const name of readdirSync(this.home))
        rmSync(join(this.home, name), { recursive: true, force: true });
      cpSync(copy, this.home, { recursive: true });
      rmSync(copy, { recursive: true, force: true });
    };
  }

  /** Every file of an agent's own folder. */
  filesOf(agent: RealAgent): string[] {
    return readdirSync(join(this.home, folders[agent]), { recursive: true, encoding: "utf8" }).sort();
  }

  async leave(): Promise<void> {
    await this.killDaemon();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

const guard = `hooks:
  - event: tool.before
    type: blocking_script
    name: no-force-push
    command: '! grep -q -- "push --force"'
`;
