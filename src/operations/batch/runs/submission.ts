import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { SwarmError } from "../../../base/errors.ts";
import { idPattern } from "../../../base/ids.ts";
import { invalidOption } from "../../../base/invalid-option.ts";
import { suggest } from "../../../base/suggest.ts";
import { checkConfig, checkFields, settingMisfit } from "../../../engine/events/check-fields.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { defaultsOf } from "../../port/setting.ts";
import { batchFields } from "../port/batch-run.ts";
import type { ProcessorKind } from "../port/processor.ts";
import type { RunSpec } from "../run-spec.ts";

export type ProcessorKinds = Readonly<Record<string, ProcessorKind>>;

/** Who wants what to be run. */
export interface Submission {
  readonly run_id: string;
  /** As `batchFields` has them. */
  readonly settings: JsonObject;
  /** The records themselves; null: they are in the file `input` names. */
  readonly records: AsyncIterable<Uint8Array> | null;
  readonly actor: string;
}

/** A run before its records are found. */
export type Asked = Omit<RunSpec, "input" | "is_gzip"> & { readonly input: string | null };

/** What is to be run, every value checked; where the records are is looked at later. */
export function specOf(
  { run_id, settings, records }: Submission,
  home: string,
  kinds: ProcessorKinds,
): Asked {
  const where = "batch run";
  if (!idPattern.test(run_id))
    throw invalidOption(where, "run_id", "letters, digits, _ and -, at most 64", run_id);
  const concurrency = Math.min(4, availableParallelism());
  const own = { cwd: home, output: join(home, "batch", run_id), concurrency };
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const said: JsonObject = { ...own, ...given };
  checkFields(where, batchFields, said, settingMisfit);
  if ((said.input === undefined) === (records === null))
    throw invalidOption(where, "input", "either a file or the records themselves", said.input);
  // Every key was checked to be of its type.
  const spec = { ...defaultsOf(batchFields), ...said } as unknown as Asked;
  checkProcessor(spec, kinds);
  const input = said.input === undefined ? null : resolve(said.input as string);
  return { ...spec, run_id, input, output: resolve(spec.output) };
}

export function checkProcessor(
  { processor, config }: Pick<RunSpec, "processor" | "config">,
  kinds: ProcessorKinds,
): void {
  const kind = Object.hasOwn(kinds, processor) ? kinds[processor] : undefined;
  const known = Object.keys(kinds);
  if (kind === undefined)
    throw new SwarmError("SWARM_BATCH_PROCESSOR_UNKNOWN", {
      processor,
      known,
      suggestion: suggest(processor, known),
    });
  checkConfig(`config of processor ${processor}`, kind, config);
}
