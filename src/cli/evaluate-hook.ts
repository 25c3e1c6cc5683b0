import type { NativeAnswer } from "../agents/port/adapter.ts";
import { NativeCalls, type NativeRequest } from "../agents/calls/native-calls.ts";
import { SharedAnswers } from "../agents/calls/shared-answers.ts";
import { withoutFlags } from "../config/flags.ts";
import type { Runtime } from "../daemon/runtime/runtime.ts";
import { autoStart } from "./auto-start.ts";
import { daemonLogFile } from "./detach.ts";
import { openLocalRuntime } from "./home.ts";
import { logTo } from "./log-to.ts";

interface EvaluateOptions {
  /** Whether the daemon is to be started for the calls to come. */
  readonly startsDaemon: boolean;
}

/** Decides a call in this process: the store, the configuration and the hooks, as the daemon has them. */
export async function evaluate(
  request: NativeRequest,
  { startsDaemon }: EvaluateOptions,
): Promise<NativeAnswer> {
  // Not to stderr: of a denial that is what the agent shows to its model.
  const { debug } = logTo(daemonLogFile());
  // The agent's environment is a project's to set: it turns no switch.
  const runtime = await openLocalRuntime(withoutFlags(process.env), { debug });
  let unguardedIn: string | null = null;
  const onUnguarded = (cwd: string): void => {
    unguardedIn = cwd;
  };
  try {
    const answers = new SharedAnswers(runtime.home);
    const answered = await new NativeCalls(runtime, { onUnguarded, answers }).answer(request);
    if (unguardedIn !== null) await guardEntries(runtime, unguardedIn);
    return answered;
  } finally {
    await runtime.close();
    if (startsDaemon) startQuietly(runtime.home);
  }
}

/** This call has been judged, and the next one is judged the same way if there is no daemon then. */
function startQuietly(home: string): void {
  try {
    autoStart(home, process.env);
  } catch {
    // No disk, no rights, a configuration that is broken: `swarm doctor` says so.
  }
}

/** A guard came after the entry did, and there is no daemon to see to it: the next call shall come by a guard's entry. */
async function guardEntries(runtime: Runtime, folder: string): Promise<void> {
  const { updateAgents } = await import("../agents/install/entry-upkeep.ts");
  // Whatever is wrong with the settings, this call has been judged; `swarm doctor` tells.
  await updateAgents(runtime, folder, { env: process.env, log: { warn: () => undefined } }).catch(
    () => undefined,
  );
}
