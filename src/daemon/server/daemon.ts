import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { addHookEndpoint } from "../../agents/calls/hook-endpoint.ts";
import { HookSocket } from "../../agents/calls/hook-socket.ts";
import { NativeCalls, RememberedAnswers } from "../../agents/calls/native-calls.ts";
import { SharedAnswers } from "../../agents/calls/shared-answers.ts";
import { systemClock } from "../../base/clock.ts";
import type { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { readOrMake } from "../../base/private-file.ts";
import { addKnownSecret } from "../../base/secrets/mask.ts";
import { socketPath } from "../../base/sockets.ts";
import { pageAt } from "../../policy/approvers/message.ts";
import { Gate } from "../access/check-caller.ts";
import { Identities } from "../access/identities.ts";
import { openRuntime, type Runtime } from "../runtime/runtime.ts";
import { Metrics } from "../telemetry/metrics.ts";
import { addMetrics } from "../telemetry/metrics-endpoint.ts";
import { type App, type AppOptions, createApp } from "./app.ts";
import { Listener, listenOnLoopback6, listenOnPort, listenOnSocket } from "./listen.ts";
import { lockHome } from "./lock.ts";
import { Refusals } from "./refusals.ts";
import { Stream } from "./stream.ts";
import { startUpkeep } from "./upkeep.ts";

export interface DaemonOptions {
  readonly home: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** 0: any that is free. */
  readonly port: number;
}

export interface Daemon {
  readonly runtime: Runtime;
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  readonly socket: string;
  /** Ends within ten seconds, and leaves no program running. */
  stop(): Promise<void>;
}

/**
 * A service manager gives ten seconds before it kills. Seven are for what is under way; then programs are ended,
 * which takes up to one, and their callers told. The rest is for the record, on a slow disk.
 */
const drainMs = 7_000;
const tellMs = 1_000;

/** Starts the daemon of this `SWARM_HOME`; null when one runs already. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon | null> {
  const { home, log, port: wanted } = options;
  const lock = lockHome(home);
  if (lock === null) return null;
  const socket = socketPath(home, "api");
  const [tcp, tcp6, unix] = [new Listener(), new Listener(), new Listener()];
  let runtime: Runtime | null = null;
  let hooks: HookSocket | null = null;
  try {
    runtime = await openRuntime({ ...options, isResident: true, isThreaded: true });
    await runtime.signTail();
    runtime.traces.start();
    const port = await listenOnPort(tcp.server, wanted);
    const isNameOurs = await listenOnLoopback6(tcp6.server, port);
    if (!isNameOurs)
      log.warn(
        `another program listens on [::1]:${port}: links name 127.0.0.1, and passkeys cannot be used`,
        {},
      );
    await listenOnSocket(unix.server, socket);
    const shared = new SharedAnswers(home);
    const calls = new NativeCalls(runtime, { answers: new RememberedAnswers((key) => shared.find(key)) });
    hooks = new HookSocket((request) => calls.answer(request), log);
    await listenOnSocket(hooks.server, socketPath(home, "hook"));
    const address = `http://127.0.0.1:${port}`;
    const swarm = await runtime.swarm.open();
    const identities = new Identities(
      runtime.store.tokens,
      systemClock,
      userInfo().username,
      readToken(home),
      (hash) => swarm.fence.identify(hash),
    );
    await identities.reload();
    const context = { runtime, identities, address, page: isNameOurs ? pageAt(port) : null };
    const refusals = new Refusals(runtime.audit, log);
    const onRefused = (error: SwarmError): void => refusals.note(error);
    const common = { runtime, context, log, onRefused };
    const open = { ...common, gate: Gate.tcp(port, (token) => identities.find(token)) };
    const owned = { ...common, gate: Gate.socket(identities.owner, (token) => identities.find(token)) };
    const streams = [
      new Stream(tcp.server, open),
      new Stream(tcp6.server, open),
      new Stream(unix.server, owned),
    ];
    identities.onReloaded(() => streams.forEach((stream) => void stream.checkReaders()));
    const metrics = openMetrics(runtime);
    const readers = (): number => streams.reduce((sum, stream) => sum + stream.readers, 0);
    const appFor = (options: AppOptions): App =>
      addMetrics(createApp(options), context.runtime, metrics, readers);
    const app = appFor(open);
    for (const listener of [tcp, tcp6]) listener.serve(app);
    unix.serve(addHookEndpoint(appFor(owned), calls));
    const upkeep = startUpkeep(runtime, options.env, log);
    await runtime.webhooks.start();
    await runtime.cron.start();
    await runtime.batch.start();
    await runtime.swarm.start();
    const release = (): void => {
      for (const which of ["api", "hook"] as const) rmSync(socketPath(home, which), { force: true });
      lock.release();
    };
    return {
      runtime,
      address,
      socket,
      stop: stopper(runtime, [...streams, tcp, tcp6, unix, hooks, upkeep, refusals], { release }),
    };
  } catch (error) {
    await Promise.all([tcp.drain(0), tcp6.drain(0), unix.drain(0), hooks?.drain(0)]);
    await runtime?.close();
    lock.release();
    throw error;
  }
}

/** Nothing is counted before the flag is on. */
function openMetrics(runtime: Runtime): Metrics {
  const metrics = new Metrics(runtime.audit);
  const follow = (): void => metrics.switch(runtime.flags.isOn("metrics"));
  runtime.flags.onChanged(follow);
  follow();
  return metrics;
}

/** The owner's, made on first start: 256 random bits, readable by its owner alone. */
export function readToken(home: string): string {
  const token = readOrMake(join(home, "token"), () => `${randomBytes(32).toString("base64url")}\n`).trim();
  addKnownSecret(token); // no form of a secret knows it
  return token;
}

function stopper(
  runtime: Runtime,
  listeners: readonly { drain(graceMs: number): Promise<void> }[],
  lock: { release(): void },
): () => Promise<void> {
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    // Whoever waits for a person is told that there is a question; it is still there after a restart.
    runtime.approvals.stopWaiting();
    const timer = setTimeout(() => runtime.abort(), drainMs);
    try {
      // Nothing more is begun; what is under way has as long as everybody else.
      await (await runtime.cron.opened())?.pause();
      const stopped = runtime.batch.stop();
      await Promise.all([stopped, ...listeners.map((listener) => listener.drain(drainMs + tellMs))]);
      await runtime.close();
    } finally {
      clearTimeout(timer);
      lock.release();
    }
  };
  return () => {
    stopping ??= stop();
    return stopping;
  };
}
