import { limits } from "../base/limits.ts";
import type { ConfigFields } from "./config-field.ts";

const fromFolder = "from the pipeline's folder";

/** Keys of one step. */
export const stepKeys = {
  run: {
    type: "any",
    isRequired: true,
    expected: "a line for the shell, or a list of a program and its arguments",
    doc: "A line for the shell, or a list of a program and its arguments, run without one.",
  },
  needs: { type: "strings", doc: "Steps that have to be done before." },
  inputs: {
    type: "strings",
    doc: `What it reads: paths and globs, ${fromFolder}. It is skipped while they, its command and its environment stay the same.`,
  },
  outputs: {
    type: "strings",
    doc: `Files and folders it makes, ${fromFolder}. A step without any is never skipped.`,
  },
  files: {
    type: "strings",
    doc: "Code it needs beside what its command names, as with a hook's (docs/trust.md).",
  },
  environment: {
    type: "object",
    isOfTexts: true,
    isSecret: true,
    mayBeEmpty: true,
    expected: "a map of texts; a number needs quotes",
    doc: "Variables of its program, beside the few every program gets. Nothing in them is replaced.",
  },
  timeout_s: {
    type: "number",
    min: 0.001,
    max: Math.floor(limits.maxTimeoutMs / 1_000),
    doc: "Deadline of one try, in seconds. Default 3600.",
  },
  retries: {
    type: "integer",
    min: 0,
    max: 100,
    doc: "How often it is tried again when it fails. Default 0.",
  },
  metrics: { type: "string", doc: "A JSON file of numbers it makes; one of its outputs." },
} as const satisfies ConfigFields;

/** Exactly one of these. */
export const dataKeys = {
  pattern: {
    type: "string",
    doc: `A glob, ${fromFolder} or the root: the match that was changed last is the snapshot.`,
  },
  command: {
    type: "any",
    doc: "A command that prints the path of the snapshot as its last line; a line for the shell, or a list.",
  },
} as const satisfies ConfigFields;

/** Keys of one pipeline. */
export const pipelineKeys = {
  description: { type: "string", mayBeEmpty: true, doc: "For readers." },
  cwd: {
    type: "string",
    pattern: /^\//,
    expected: "an absolute path",
    doc: "Where its steps run. Only in the user's file, which has to say it; a project's run in its own folder.",
  },
  model: { type: "string", doc: "What its runs make versions of. Default the pipeline's name." },
  data: { type: "any", keys: dataKeys, doc: "Where the data snapshot of a run comes from. Default none." },
  max_parallel: { type: "integer", min: 1, max: 16, doc: "Steps at once. Default 2." },
  steps: { type: "any", isRequired: true, doc: "A map from name to step." },
} as const satisfies ConfigFields;
