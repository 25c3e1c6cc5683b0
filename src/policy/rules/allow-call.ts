import { join } from "node:path";
import { adapters } from "../../agents/adapters/index.ts";
import type { AgentName } from "../../agents/port/agents.ts";
import { SwarmError } from "../../base/errors.ts";
import { lockFile } from "../../base/file-lock.ts";
import { readIfThere } from "../../base/private-file.ts";
import { redact } from "../../base/redact.ts";
import { replaceFile } from "../../base/replace-file.ts";
import { exceptionLines, withException } from "../../config/policy/write-exception.ts";
import type { PolicyConfig } from "../../config/policy/policy-config.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { Store } from "../../store/port/store.ts";
import { type Action, actionOf } from "./action.ts";
import { namesOf } from "./files/path-names.ts";
import { placeIn } from "./judge.ts";
import { narrowExceptions, type WrittenException } from "./narrow-exception.ts";

/** What is to be let through: a call of the record, or a shell line in a folder. */
export type AllowedCall =
  | { readonly run: string }
  | { readonly command: string; readonly cwd: string | undefined };

export interface AllowOptions {
  readonly until: string;
  readonly reason: string;
  readonly actor: string;
  /** Nothing is written, the answer is what would be. */
  readonly isTrial: boolean;
}

/** What is asked for it: the configuration of a folder as its files are now, the record, and who may decide. */
export interface Allowing {
  readonly home: string;
  readonly projectOf: (cwd: string | undefined) => Promise<{
    readonly cwd: string;
    readonly problem: SwarmError | null;
    readonly config: { readonly policy: PolicyConfig };
  }>;
  readonly store: Pick<Store, "findRunEvent" | "findPayload">;
  readonly audit: Pick<Audit, "record">;
  readonly isPersonRequired: () => Promise<boolean>;
}

/** Reading and writing one file takes milliseconds. */
const lockWaitMs = 5_000;

interface Call {
  readonly action: Action;
  readonly cwd: string | undefined;
  /** The tool the exception is for; undefined: the action's own. */
  readonly tool?: string;
}

/** Writes into the user's file by what a call is no longer refused, once the record has a row for it. */
export async function allowCall(
  { home, projectOf, store, audit, isPersonRequired }: Allowing,
  call: AllowedCall,
  { until, reason, actor, isTrial }: AllowOptions,
): Promise<{ readonly file: string; readonly exceptions: readonly WrittenException[] }> {
  const { action, cwd, tool } = "run" in call ? await recordedCall(store, call.run) : lineCall(call);
  const project = await projectOf(cwd);
  if (project.problem !== null) throw project.problem;
  const names = namesOf(home, process.env);
  const place = placeIn(project.cwd, names.home);
  const disabled = new Set(project.config.policy.disabled);
  const rules = project.config.policy.rules.filter(({ rule }) => !disabled.has(rule.id));
  const exceptions = narrowExceptions({ rules, action, place, names, until, reason, ...(tool && { tool }) });
  if (exceptions.length === 0) throw refused("no rule denies it or asks about it here");
  const own = exceptions.find(({ rule }) => rule.startsWith("self/"));
  if (own !== undefined) {
    throw refused(
      `${own.rule} protects the policy itself; whoever means to take it out writes disable: ${own.rule} into config.yaml`,
    );
  }
  const file = join(home, "config.yaml");
  if (isTrial) return { file, exceptions };
  if (await isPersonRequired())
    throw refused(
      `approvals take a person's key here, which this does not ask for: write it into ${file} yourself:\npolicy_exceptions:\n${exceptions.map((each) => exceptionLines(each)).join("")}`,
    );
  withExceptions(file, exceptions); // what cannot be written is not announced
  for (const exception of exceptions) {
    const event: RecordedChange = "policy.excepted";
    const { rule } = exception;
    const told = JSON.stringify(redact(exception));
    await audit.record({ kind: "change", event, actor, ref: rule, reason: told });
  }
  writeExceptions(home, file, exceptions);
  return { file, exceptions };
}

/**
 * Reads, adds and writes under a lock that the processes of this home share, and without a pause in which another request to
 * this one could do the same: of two exceptions at once neither is lost.
 */
function writeExceptions(home: string, file: string, exceptions: readonly WrittenException[]): void {
  const lock = lockFile(join(home, "config.lock"), lockWaitMs);
  if (lock === null) throw refused(`another process has been writing ${file} for ${lockWaitMs / 1_000} s`);
  try {
    replaceFile(file, withExceptions(file, exceptions));
  } finally {
    lock.release();
  }
}

/** The text of the file as it is now, with these exceptions more. */
function withExceptions(file: string, exceptions: readonly WrittenException[]): string {
  const text = exceptions.reduce((before: string | null, exception) => {
    return before === null ? null : withException(file, before, exception);
  }, readIfThere(file) ?? "");
  if (text !== null) return text;
  const lines = exceptions.map((each) => exceptionLines(each)).join("");
  throw refused(`${file} cannot be added to, write it yourself:\npolicy_exceptions:\n${lines}`);
}

function lineCall({ command, cwd }: Extract<AllowedCall, { command: string }>): Call {
  const data = { tool_name: "Bash", tool_input: { command } };
  const action = actionOf("tool.before", data, {}, Date.now());
  if (action === null) throw refused("it is nothing that rules judge");
  return { action, cwd, tool: "shell" };
}

async function recordedCall(store: Allowing["store"], id: string): Promise<Call> {
  const found = await store.findRunEvent(id);
  if (found === null) throw new SwarmError("SWARM_RUN_UNKNOWN", { id });
  if (found.event !== "tool.before")
    throw refused(`${id} is a row of ${found.event}, expected a call of a tool`);
  const payload = await store.findPayload(found.seq);
  const data = JSON.parse(payload?.after ?? payload?.before ?? "null") as Record<string, unknown> | null;
  if (data === null) throw refused(`the record has no arguments of ${id} any more: name the command`);
  if (JSON.stringify(data).includes("[redacted]"))
    throw refused(
      `secrets in ${id} are replaced in the record, so it is not known exactly: name the command`,
    );
  const source = found.source ?? "";
  const toolNames = Object.hasOwn(adapters, source)
    ? adapters[source as AgentName].toolNames(data as { tool_name: string })
    : undefined;
  const action = actionOf("tool.before", data, { toolNames, source }, Date.now());
  if (action === null) throw refused("it is nothing that rules judge");
  return { action, cwd: found.cwd ?? undefined };
}

function refused(problem: string): SwarmError {
  return new SwarmError("SWARM_EXCEPTION_REFUSED", { problem });
}
