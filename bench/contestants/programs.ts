import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import type { Outcome } from "../../src/engine/events/outcome.ts";
import { type CommandSpec, commandHandler } from "../../src/handlers/command/command-handler.ts";
import { hookEnvironment } from "../../src/handlers/process/environment.ts";
import { openHooks } from "../../src/engine/hooks/create-hooks.ts";
import type { Contestant } from "./contestant.ts";

type Program = Pick<CommandSpec, "kind" | "argv" | "line">;

/** The least a guard does: it reads the event and says a word. */
export const counting: Program = { kind: "command", argv: ["/usr/bin/wc", "-c"], line: null };
export const countingLine: Program = { kind: "command", argv: null, line: "wc -c" };
/** Just below the limit of 1 MiB. A `script` only watches: what it prints is read and not used. */
export const printing900KiB: Program = {
  kind: "script",
  argv: ["/usr/bin/head", "-c", String(900 * 1024), "/dev/zero"],
  line: null,
};

const cwd = tmpdir();

/** Our engine with one hook that runs the program. */
export function hookProgram(name: string, program: Program): Contestant {
  const { hooks, register } = openHooks();
  const spec: CommandSpec = {
    ...program,
    name: "it",
    isClaudeShaped: false,
    nativeEvent: "tool.before",
    pluginRoot: null,
    baseFolder: cwd,
    projectFolder: null,
    timeoutMs: 30_000,
    spillFolder: null,
    sandbox: "off",
  };
  register("tool.before", {}, commandHandler(spec, process.env), spec.kind);
  return {
    name,
    isSync: false,
    run: (call) => hooks.emit("tool.before", call, { cwd }),
    read(result, call) {
      const { decision, data } = result as Outcome<"tool.before">;
      const isAnswered = program.kind === "script" || Number(decision.context[0]) > 100;
      return isAnswered && data === call ? call : null;
    },
  };
}

/** The same program with the same environment and as much on stdin, its output as text; it may run for ever. */
export function bareProgram(name: string, { kind, argv, line }: Program): Contestant {
  const [program = "", ...args] = argv ?? ["/bin/sh", "-c", line ?? ""];
  const options = { cwd, env: hookEnvironment(process.env, { CLAUDE_PROJECT_DIR: cwd }) };
  const event = { event: "tool.before", id: "evt_01j9k2m4", timestamp: 0, session: null, agent: null, cwd };
  return {
    name,
    isSync: false,
    async run(data) {
      const text = await collect(program, args, options, JSON.stringify({ ...event, data }));
      return kind === "script" ? text.length : Number(text);
    },
    read: (count, call) => (Number(count) > 100 ? call : null),
  };
}

function collect(program: string, args: readonly string[], options: object, stdin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: "pipe" });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(chunks).toString()));
    // A program that does not read closes the pipe.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
  });
}

/** As many runs, all started before any is waited for; a call of this contestant is all of them. */
export function atOnce(count: number, contestant: Contestant): Contestant {
  return {
    name: `${contestant.name}, ${count} at once`,
    isSync: false,
    run: (call) => Promise.all(Array.from({ length: count }, () => contestant.run(call))),
    read: (results, call) =>
      (results as unknown[]).every((result) => contestant.read(result, call) === call) ? call : null,
  };
}
