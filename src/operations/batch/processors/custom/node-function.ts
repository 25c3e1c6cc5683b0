import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "../../../../engine/events/schema.ts";
import type { InputRecord } from "../../port/records.ts";
import type { ChunkWork, PartTeller } from "../part-teller.ts";

type UserFunction = (given: unknown) => unknown;

/** `module`: an absolute path, or the name of a package as seen from the working directory. */
export async function openFunction(open: JsonObject): Promise<ChunkWork> {
  const { module, function: name, mode } = open as Record<string, string>;
  const call = await importFunction(module ?? "", name ?? "");
  return mode === "chunk"
    ? (teller) => doTogether(call, teller.records, teller)
    : (teller) => doEach(call, teller.records, teller);
}

async function importFunction(module: string, name: string): Promise<UserFunction> {
  const exported = (await import(resolved(module))) as Record<string, unknown>;
  const fromDefault = exported.default as Record<string, unknown> | undefined;
  // A CommonJS module is the default of what is imported; not every name of it can be seen from outside.
  const found = name === "default" ? fromDefault : (exported[name] ?? fromDefault?.[name]);
  if (typeof found === "function") return found as UserFunction;
  const names = Object.keys(exported).filter((key) => typeof exported[key] === "function");
  const known = names.length === 0 ? "it exports no function" : `it exports ${names.join(", ")}`;
  throw new Error(`${module} has no function ${JSON.stringify(name)}: ${known}`);
}

function resolved(module: string): string {
  const here = `${process.cwd()}/`;
  if (module.startsWith("/")) return pathToFileURL(module).href;
  // The second argument, where to look from, takes a flag of Node's which this process is started with.
  const resolve = import.meta.resolve as (specifier: string, parent: URL) => string;
  try {
    return resolve(module, new URL("index.js", pathToFileURL(here)));
  } catch (error) {
    try {
      return pathToFileURL(createRequire(here).resolve(module)).href;
    } catch {
      throw error;
    }
  }
}

async function doEach(
  call: UserFunction,
  records: readonly InputRecord[],
  teller: PartTeller,
): Promise<void> {
  teller.watchWaiting();
  for (const item of records) {
    const startedMs = performance.now();
    let output: unknown;
    try {
      output = call(item.record);
      // Awaiting what is no promise would cost a turn of the event loop for each record.
      if (isThenable(output)) output = await output;
    } catch (error) {
      teller.failed(item, "thrown", messageOf(error), performance.now() - startedMs);
      continue;
    }
    tellOutput(item, output, performance.now() - startedMs, teller);
  }
}

/** All records in one call; one by one when it is known that some record of them does not end. */
async function doTogether(
  call: UserFunction,
  records: readonly InputRecord[],
  teller: PartTeller,
): Promise<void> {
  const groups = teller.isCareful ? records.map((item) => [item]) : [records];
  for (const group of groups) await doGroup(call, group, teller);
}

/** A call that fails is made again for each half, until what fails is one record. */
async function doGroup(
  call: UserFunction,
  group: readonly InputRecord[],
  teller: PartTeller,
  isAgain = false,
): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const startedMs = performance.now();
  // A call that failed half way may have changed what it was given.
  const records = group.map(({ record, source }) => (isAgain ? (JSON.parse(source) as unknown) : record));
  let outputs: unknown;
  let problem: { readonly class: string; readonly message: string } | null = null;
  try {
    outputs = await call(records);
    if (!Array.isArray(outputs) || outputs.length !== group.length) {
      const found = Array.isArray(outputs)
        ? `${outputs.length} outputs`
        : `a value of type ${typeof outputs}`;
      problem = { class: "invalid_output", message: `${found} for ${group.length} records` };
    }
  } catch (error) {
    problem = { class: "thrown", message: messageOf(error) };
  }
  const latencyMs = (performance.now() - startedMs) / group.length;
  if (problem === null) {
    for (const [at, item] of group.entries()) {
      tellOutput(item, (outputs as unknown[])[at], latencyMs, teller);
    }
  } else if (group.length === 1) {
    teller.failed(first, problem.class, problem.message, latencyMs);
  } else {
    const middle = group.length >>> 1;
    await doGroup(call, group.slice(0, middle), teller, true);
    await doGroup(call, group.slice(middle), teller, true);
  }
}

function tellOutput(item: InputRecord, output: unknown, latencyMs: number, teller: PartTeller): void {
  if (output instanceof Error) {
    teller.failed(item, "thrown", messageOf(output), latencyMs);
    return;
  }
  let text: string | undefined;
  let problem = `${output === undefined ? "undefined" : `a ${typeof output}`}, expected JSON`;
  try {
    if (typeof output !== "number" || Number.isFinite(output)) text = JSON.stringify(output);
    else problem = `${output}, expected JSON`;
  } catch (error) {
    problem = `no JSON: ${messageOf(error)}`;
  }
  if (text === undefined) teller.failed(item, "invalid_output", problem, latencyMs);
  else teller.done(item, text, latencyMs);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  try {
    return String(error);
  } catch {
    return "it threw a value that cannot be shown";
  }
}
