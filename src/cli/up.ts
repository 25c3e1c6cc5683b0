import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SwarmError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { oneLine } from "../base/show.ts";
import { socketPath } from "../base/sockets.ts";
import type { RunEvent } from "../record/port/run-event.ts";
import type { Daemon } from "../daemon/server/daemon.ts";
import { daemonHealth, type ResultOf } from "./client.ts";
import { type Command, usage } from "./command.ts";
import { startDetached } from "./detach.ts";
import { jsonLine } from "./json.ts";
import { logTo } from "./log-to.ts";
import { agentLines, inForceLine, nextStep } from "./protection-lines.ts";
import { runEventLine } from "./run-event-line.ts";
import { style } from "./style.ts";
import { isMarkedStopped, markStopped, removeStopMark } from "./stop-mark.ts";
import { swarmHome } from "./swarm-home.ts";

const defaultPort = 7077;

export const upCommand: Command = {
  summary:
    "start the daemon: REST and the dashboard on loopback, a socket, the record, every project's hooks",
  positionals: [],
  options: {
    port: `N  port on 127.0.0.1, default ${defaultPort}; 0: any that is free`,
    "log-file": "FILE  write warnings there, and start a new one every 10 MiB; default stderr",
  },
  flags: {
    detach: { doc: "start it in the background; warnings go to daemon.log in SWARM_HOME" },
    auto: { doc: "as an agent's call starts it: not after swarm stop, and on any port if 7077 is taken" },
  },
  examples: [
    "swarm up",
    "swarm up --port 0",
    "swarm up --detach",
    'curl -H "Authorization: Bearer $(cat ~/.swarm/token)" http://127.0.0.1:7077/api/v1/events',
  ],
  /** The first line is the same in every mode: programs wait for it. */
  async run({ options, flags, isJson }) {
    const port = portOf(options.port);
    if (flags.has("detach")) {
      const started = await startDetached(["--port", String(port)]);
      const told = isJson ? jsonLine(started) : `process ${started.pid}; stop it with swarm stop\n`;
      return `listening on ${started.address}\n${told}`;
    }
    const log = logTo(options["log-file"]);
    const isAuto = flags.has("auto");
    if (!isAuto) removeStopMark(swarmHome());
    const signals = new FirstSignal();
    const found = await startOrFind({ port, isAuto }, log, signals);
    if (found === null)
      return "not started: swarm stop was the last word, or SWARM_HOME is gone; use swarm up\n";
    if ("runtime" in found) return serve(found, log, isJson, signals);
    const { address, pid } = found;
    const told = isJson ? jsonLine(found) : `it was running already, as process ${pid}\n`;
    return `listening on ${address}\n${told}`;
  },
};

/** How often one that holds the home but does not answer is asked again: longer than one may take to stop. */
const looks = 60;
const lookEveryMs = 50;

interface Wanted {
  readonly port: number;
  /** Started by an agent's call, not by a person. */
  readonly isAuto: boolean;
}

/** The daemon of this home: started here, or the one that runs; null where a person has stopped it. One that is starting or stopping is waited for. */
async function startOrFind(
  wanted: Wanted,
  log: Log,
  signals: FirstSignal,
): Promise<Daemon | ResultOf<"health"> | null> {
  const home = swarmHome();
  // Loaded here alone: the server is half of what there is to load, and every other command does without.
  const { startDaemon } = await import("../daemon/server/daemon.ts");
  for (let look = 0; look < looks; look++) {
    if (signals.name !== null) process.exit(130); // nothing is ours yet
    // A home that was removed since the call is not to come back.
    if (wanted.isAuto && (isMarkedStopped(home) || !existsSync(home))) return null;
    const start = (port: number) => startDaemon({ home, cwd: process.cwd(), env: process.env, log, port });
    const daemon = await start(wanted.port).catch((error: unknown) => {
      // Another home's daemon has it. Agents and commands ask by the socket, so any port will do.
      if (wanted.isAuto && error instanceof SwarmError && error.code === "SWARM_PORT_TAKEN") return start(0);
      throw error;
    });
    // `swarm stop` did not see it while it was starting.
    if (daemon !== null && wanted.isAuto && isMarkedStopped(home)) {
      await daemon.stop();
      return null;
    }
    const found = daemon ?? (await daemonHealth());
    if (found !== null) return found;
    await pause(lookEveryMs);
  }
  const problem = "another process holds daemon.lock";
  throw new SwarmError("SWARM_DAEMON_LOST", { socket: socketPath(home, "api"), problem });
}

/** Rows that are kept for a reader who is slow; of more than these it is only told how many there were. */
const maxWaitingLines = 1_000;

async function* serve(
  daemon: Daemon,
  log: Log,
  isJson: boolean,
  signals: FirstSignal,
): AsyncGenerator<string> {
  const waiting: string[] = [`listening on ${daemon.address}\n`];
  let unprinted = 0;
  let wake: () => void = () => undefined;
  const say = (line: string): void => {
    if (waiting.length < maxWaitingLines) waiting.push(line);
    else unprinted++;
    wake();
  };
  const print = (row: RunEvent): string => (isJson ? jsonLine(row) : `${runEventLine(row)}\n`);
  const stopListening = daemon.runtime.audit.onRecorded((row) => say(print(row)));
  const stopped = untilSignalled(daemon, isJson ? () => undefined : say, signals).then(() => true);
  const text = (): string => {
    const missed = unprinted === 0 || isJson ? "" : `(${unprinted} more that nobody read in time)\n`;
    unprinted = 0;
    return waiting.splice(0).join("") + missed;
  };
  try {
    yield text();
    waiting.unshift(...(await greeting(daemon, log)));
    for (let isStopped = false; !isStopped; ) {
      yield text();
      const more = new Promise<boolean>((resolve) => {
        wake = () => resolve(false);
      });
      if (waiting.length === 0) isStopped = await Promise.race([stopped, more]);
    }
    yield text();
  } finally {
    stopListening();
  }
}

/** A terminal is told what is guarded; a log only what is not. */
async function greeting({ runtime, socket, address }: Daemon, log: Log): Promise<string[]> {
  const problem = problemHere(runtime);
  if (process.stdout.isTTY !== true) {
    if (problem !== null) log.warn(problem, {});
    return [];
  }
  const { describeProtection } = await import("../daemon/server/describe-protection.ts");
  const protection = await describeProtection(runtime, undefined);
  const agents = agentLines(protection);
  return [
    `${style("dim", "socket")}   ${oneLine(socket)}\n`,
    `${style("dim", "guards")}   ${problem === null ? inForceLine(protection) : style("red", problem)}\n`,
    ...agents.map((line, at) => `${style("dim", at === 0 ? "agents" : "      ")}   ${line}\n`),
    `${style("dim", "page")}     ${address}: swarm dashboard opens it\n`,
    `${style("dim", "next")}     ${nextStep(protection)}\n`,
    `${style("dim", "stop")}     Ctrl-C\n\n`,
  ];
}

/** A folder whose file is broken is no reason not to start: others may be fine, and this one may be mended. */
function problemHere(runtime: Daemon["runtime"]): string | null {
  try {
    runtime.projects.at();
    return null;
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return `nothing can be decided in this folder: ${error.message}`;
  }
}

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Listens before the daemon is started: `swarm stop` finds one that has just begun to answer, and what it has opened is
 * closed in order then, too.
 */
class FirstSignal {
  name: string | null = null;
  readonly received: Promise<string>;

  constructor() {
    this.received = Promise.race(stopSignals.map((name) => once(process, name).then(() => name)));
    void this.received.then((name) => {
      this.name = name;
    });
  }
}

/** The first signal lets what is under way end; a second one does not wait. */
async function untilSignalled(
  daemon: Daemon,
  say: (line: string) => void,
  signals: FirstSignal,
): Promise<void> {
  const home = new HomeWatch(swarmHome());
  const signal = await Promise.race([signals.received, home.gone]);
  home.stop();
  // Ctrl-C is a person's; the other signals are also a shutdown's or a service manager's.
  if (signal === "SIGINT") markStopped(swarmHome());
  say(`stopping${signal === null ? ", its SWARM_HOME was removed" : ""}: waiting for what is under way\n`);
  for (const name of stopSignals) {
    process.on(name, () => {
      daemon.runtime.abort();
      process.exit(130);
    });
  }
  await daemon.stop();
}

const homeLookEveryMs = 2_000;

/** A daemon whose home was removed decides by a record that nobody can read any more, and nobody would find it to stop it. */
class HomeWatch {
  readonly gone: Promise<null>;
  #timer: NodeJS.Timeout | undefined;

  constructor(home: string) {
    const lock = join(home, "daemon.lock");
    const made = statSync(lock, { throwIfNoEntry: false });
    this.gone = new Promise((resolve) => {
      this.#timer = setInterval(() => {
        const now = statSync(lock, { throwIfNoEntry: false });
        if (now?.ino !== made?.ino || now?.dev !== made?.dev) resolve(null);
      }, homeLookEveryMs).unref();
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function portOf(written: string | undefined): number {
  if (written === undefined) return defaultPort;
  const port = Number(written);
  if (/^\d{1,5}$/.test(written) && port <= 65_535) return port;
  throw usage("up", `--port is ${JSON.stringify(written)}, expected 0 to 65535`);
}
