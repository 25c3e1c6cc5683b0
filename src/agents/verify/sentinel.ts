import { randomBytes, randomInt } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Calls that are denied; each makes a file of its own, and is denied in words of its own. */
export const deniedCalls = [
  "shell_1",
  "shell_2",
  "shell_3",
  "write",
  "edit",
  "mcp",
  "subagent_shell",
  "subagent_write",
  "killed",
] as const;
export type DeniedCall = (typeof deniedCalls)[number];

/** Calls that run, and what one of them is turned into. */
export type OtherCall = "allowed" | "original" | "rewritten";

/**
 * Words of one verification. They are drawn at random each time: names of files, of the program and the MCP tool that
 * are called, the forms of commands. No matcher or condition in an agent's settings can be made to fit them alone.
 */
export class Sentinel {
  readonly token = randomBytes(6).toString("hex");
  readonly #words = new Map<string, string>();
  readonly #forms = shuffled(commandForms);

  /** The same word each time for what it names. */
  word(named: string): string {
    const word = this.#words.get(named) ?? randomWord();
    this.#words.set(named, word);
    return word;
  }

  /** The file a call makes: whether it is there tells what became of the call. */
  fileOf(call: DeniedCall | OtherCall): string {
    return this.word(call);
  }

  /** What the model must hear of a denied call. */
  reasonOf(call: DeniedCall): string {
    return `swarm verify ${this.token}: this call (${call}) is denied on purpose`;
  }

  /** As harmless as a command can be that leaves a trace. Two of three denied ones, and the rest, begin differently each time. */
  commandOf(call: DeniedCall | OtherCall): string {
    const file = this.fileOf(call);
    if (call === "shell_1") return `./${this.word("program")} ${file}`;
    const form = this.#forms[commandCalls.indexOf(call) % this.#forms.length] ?? commandForms[0];
    return form?.(file, this.word("text"), this.word("edited file")) ?? "";
  }

  /** A text in which what is other each time is left out. */
  masked(text: string): string {
    const words = [this.token, ...this.#words.values()];
    return words.reduce((masked, word) => masked.replaceAll(word, "…"), text);
  }
}

const commandCalls: readonly (DeniedCall | OtherCall)[] = [
  "shell_2",
  "shell_3",
  "allowed",
  "original",
  "rewritten",
  "subagent_shell",
  "killed",
];

/** What is copied is a file of the project: some agents ask a person before anything outside of it is named, even /dev/null. */
type CommandForm = (file: string, text: string, copied: string) => string;

const commandForms: readonly CommandForm[] = [
  (file, text) => `printf ${text} > ${file}`,
  (file, text) => `echo ${text} > ${file}`,
  (file) => `touch ${file}`,
  (file, text) => `echo ${text} | tee ${file}`,
  (file, _, copied) => `cp ${copied} ${file}`,
  (file) => `mkdir ${file}`,
  (file, _, copied) => `cat ${copied} > ${file}`,
  (file) => `: > ${file}`,
  (file, text) => `env ${text}=1 touch ${file}`,
];

function randomWord(): string {
  const letters = Array.from({ length: randomInt(9, 15) }, () => String.fromCharCode(97 + randomInt(26)));
  return letters.join("");
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/**
 * The hooks that decide about these calls, as any project declares hooks. They answer by what stands in the event,
 * wherever in it: which field it is in is the adapter's business, and part of what is verified.
 */
export function writeSentinelHooks(project: string, sentinel: Sentinel): void {
  const denials = deniedCalls.map(
    (call) => `  *${sentinel.fileOf(call)}*) echo '${sentinel.reasonOf(call)}' >&2; exit 2 ;;\n`,
  );
  const rewritten = JSON.stringify({
    rewrite: { tool_input: { command: sentinel.commandOf("rewritten") } },
  });
  const original = sentinel.fileOf("original");
  const scripts = {
    "deny.sh": `case "$(cat)" in\n${denials.join("")}esac\n`,
    "rewrite.sh": `case "$(cat)" in\n  *${original}*) echo '${rewritten}' ;;\nesac\n`,
    [sentinel.word("program")]: '#!/bin/sh\n: > "$1"\n',
    [sentinel.word("edited file")]: `${sentinel.word("old text")}\n`,
  };
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(project, name), text);
  chmodSync(join(project, sentinel.word("program")), 0o700);
  const hook = { event: "tool.before", timeout_s: 5 };
  // It denies, but not when it fails: that would ask for other entries in the settings that are verified here.
  const deny = { name: "verify-deny", mode: "guard", args: ["/bin/sh", "./deny.sh"] };
  const guard = { ...hook, type: "command", ...deny };
  const transform = { ...hook, type: "command", name: "verify-rewrite", args: ["/bin/sh", "./rewrite.sh"] };
  writeFileSync(join(project, "swarm.yaml"), JSON.stringify({ hooks: [guard, transform] }, null, 2));
}
