import { withoutFlags } from "../config/flags.ts";
import type { DecodedCall, NativeAnswer } from "../agents/port/adapter.ts";
import { NativeCalls } from "../agents/calls/native-calls.ts";
import type { NativeRequest } from "../agents/calls/native-request.ts";
import type { Runtime } from "../daemon/runtime/runtime.ts";
import { SharedAnswers } from "../agents/calls/shared-answers.ts";
import { writeQuietBook } from "../daemon/runtime/write-quiet-book.ts";
import { openRuntime } from "./home.ts";

/** Decides a call in this process: the store, the configuration and the hooks, as the daemon has them. */
export async function evaluate(request: NativeRequest): Promise<NativeAnswer> {
  const beganAtMs = Date.now();
  // The agent's environment is a project's to set: it turns no switch.
  const runtime = await openRuntime(withoutFlags(process.env));
  let unguardedIn: string | null = null;
  const onUnguarded = (cwd: string): void => {
    unguardedIn = cwd;
  };
  const onJudged = (call: DecodedCall): void => keepQuiet(runtime, call, beganAtMs);
  try {
    const answers = new SharedAnswers(runtime.home);
    const answered = await new NativeCalls(runtime, { onUnguarded, onJudged, answers }).answer(request);
    if (unguardedIn !== null) await guardEntries(runtime, unguardedIn);
    return answered;
  } finally {
    await runtime.close();
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

function keepQuiet(runtime: Runtime, call: DecodedCall, beganAtMs: number): void {
  try {
    writeQuietBook(runtime, call, import.meta.filename, beganAtMs);
  } catch {
    // This call has been judged, and without a book the next one is judged the same way.
  }
}
