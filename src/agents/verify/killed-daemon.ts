import type { Adapter, NativeAnswer, WantedHook } from "../port/adapter.ts";
import type { ReadyAgent, RealSettings } from "./agents/agent-program.ts";
import { type Check, check } from "./check.ts";
import { callHook } from "./hook-call.ts";
import { type Judgement, runDenied } from "./run-checks.ts";

/** A daemon of a temporary home: nobody else's, so it may be killed. */
export interface KillableDaemon {
  /** The client that asks this daemon, in place of the installed one. */
  readonly client: string;
  /** By SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** The project's hooks are approved there before it starts: nobody else could. */
export type StartKillable = (home: string, project: string) => Promise<KillableDaemon>;

/**
 * Kills a daemon and looks whether its guards still hold. It is never the user's own: a second one is started on a
 * temporary home, with a client of its own, and the entry under test is the installed one with that client in it.
 */
export async function checkDaemonKilled(
  agent: ReadyAgent,
  adapter: Adapter,
  settings: readonly RealSettings[],
  entry: WantedHook,
  start: StartKillable,
): Promise<Check> {
  const { swarmHome, project } = agent.place;
  const daemon = await start(swarmHome, project).catch((error: Error) => error);
  if (daemon instanceof Error) {
    return check("daemon_killed", "not_provable", `there is no daemon to kill: ${daemon.message}`);
  }
  try {
    const swapped: WantedHook = { ...entry, argv: [daemon.client, ...entry.argv.slice(1)] };
    // Without it, whoever evaluates in the daemon's place would look for the user's own daemon, and find it.
    const alone: ReadyAgent = { ...agent, env: { ...agent.env, SWARM_HOME: swarmHome } };
    return check("daemon_killed", ...(await judge(alone, adapter, settings, swapped, daemon)));
  } finally {
    await daemon.kill();
  }
}

async function judge(
  agent: ReadyAgent,
  adapter: Adapter,
  settings: readonly RealSettings[],
  swapped: WantedHook,
  daemon: KillableDaemon,
): Promise<Judgement> {
  const before = ask(agent, swapped, "before");
  if (!isDenied(agent, before)) {
    return ["not_provable", `with the daemon it did not deny: ${shown(agent, before)}`];
  }
  await daemon.kill();
  if (!agent.profile.runsNewEntries) return replay(agent, swapped, before);
  swapEntry(agent, adapter, settings, swapped);
  return runDenied(agent, "killed");
}

function swapEntry(
  agent: ReadyAgent,
  adapter: Adapter,
  settings: readonly RealSettings[],
  swapped: WantedHook,
): void {
  const others = settings.map((real) => ({ ...real, text: adapter.settings.uninstall(real.text) }));
  const user = others.find(({ scope }) => scope === "user");
  const text = adapter.settings.install(user?.text || null, [swapped]);
  // In place of a copy that still has the installed entry: nothing, in JSON as in JavaScript.
  const project = others
    .filter(({ scope }) => scope === "project")
    .map((real) => ({ ...real, text: real.text || "{}" }));
  const file = adapter.settings.file("user", agent);
  agent.profile.copySettings([...project, { scope: "user", file, text }], agent, agent.place);
}

/**
 * For an agent that would have to be told to trust a second entry. It acts on the bytes a hook answers with, as the
 * other checks have shown with the installed one; here they are the same bytes, before and after.
 */
function replay(agent: ReadyAgent, swapped: WantedHook, before: NativeAnswer): Judgement {
  const after = ask(agent, swapped, "after");
  if (!isDenied(agent, after)) return ["fail", `the hook did not deny: ${shown(agent, after)}`];
  if (textOf(before) !== textOf(after)) {
    return ["not_provable", `its answer is another one than with the daemon: ${shown(agent, after)}`];
  }
  return ["pass", `replayed, not run by the agent: the hook gave the same answer, ${shown(agent, after)}`];
}

function ask(agent: ReadyAgent, { argv }: WantedHook, when: string): NativeAnswer {
  const { place } = agent;
  const command = place.sentinel.commandOf("killed");
  const callId = `${when}-${place.sentinel.token}`;
  return callHook(agent, { argv, command, cwd: place.project, callId });
}

function isDenied({ place }: ReadyAgent, { stdout, stderr }: NativeAnswer): boolean {
  return (stdout + stderr).includes(place.sentinel.reasonOf("killed"));
}

function shown({ place }: ReadyAgent, answer: NativeAnswer): string {
  return place.sentinel.masked(textOf(answer));
}

function textOf({ exitCode, stdout, stderr }: NativeAnswer): string {
  return `exit ${exitCode}: ${(stdout + stderr).trim().slice(0, 400)}`;
}
