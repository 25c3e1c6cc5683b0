import { anything, required } from "../../../../engine/events/schema.ts";
import { hookEnvironment } from "../../../../handlers/process/environment.ts";
import { programPath } from "../../../../handlers/process/program-path.ts";
import type { ProcessorKind } from "../../port/processor.ts";
import { openPool } from "../pool.ts";
import { nodeArgv } from "../programs.ts";

const startTimeoutMs = 60_000;
/** Of all words together: the system takes 128 KiB for one. */
const maxChars = 32_768;

/** A program that stays: a line of JSON in, a line of JSON out. */
export const command: ProcessorKind = {
  doc: "Sends each record as a line of JSON to a program that stays, and takes a line for each.",
  fields: {
    command: required(anything("The program with its arguments as a list, or a line for the shell.")),
  },
  check({ command: given }) {
    const words = typeof given === "string" ? [given] : given;
    const isCommand =
      Array.isArray(words) &&
      words.every((word) => typeof word === "string" && !word.includes("\0")) &&
      String(words[0] ?? "").trim() !== "" &&
      words.join("").length <= maxChars;
    const expected = `a list of words or a line, at most ${maxChars} characters`;
    return isCommand ? null : { option: "command", expected };
  },
  open({ command: given }, call) {
    const argv = typeof given === "string" ? ["/bin/sh", "-c", given] : (given as readonly string[]);
    const [program = "", ...args] = argv;
    const env = hookEnvironment(call.env, {
      SWARM_BATCH_RUN_ID: call.run_id,
      // A Python program that keeps its answers until there are many would never be asked for more.
      PYTHONUNBUFFERED: "1",
    });
    return openPool(
      {
        name: "command",
        program: { argv: nodeArgv(), cwd: call.cwd, env },
        sandbox: call.sandbox,
        open: { kind: "command", id_field: call.idField, argv: [programPath(program, call.cwd), ...args] },
        startTimeoutMs,
      },
      call,
    );
  },
};
