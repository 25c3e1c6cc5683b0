// An agent as small as one can be: it asks its model, its hook and then does what it was asked, in that order. `PRETEND` says
// what is wrong with it. Run as a program: PRETEND_HOME has a file that names its hook, PRETEND_MODEL is the model's address,
// PRETEND_TOOL the tool of an MCP server.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const {
  PRETEND = "",
  PRETEND_HOME = "",
  PRETEND_MODEL = "",
  PRETEND_TOOL = "",
  PRETEND_SIMPLE,
} = process.env;

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: { readonly function: { readonly name: string; readonly arguments: string } }[];
}

type Input = Readonly<Record<"command" | "prompt" | "file" | "text" | "before" | "after", string>>;

async function converse(prompt: string, isInner: boolean): Promise<void> {
  const messages: Message[] = [{ role: "user", content: prompt }];
  for (;;) {
    const reply = await ask(messages);
    const called = reply.tool_calls?.[0]?.function;
    if (called === undefined) return;
    const input = JSON.parse(called.arguments) as Input;
    messages.push(reply, { role: "tool", content: await call(called.name, input, isInner) });
  }
}

async function ask(messages: readonly Message[]): Promise<Message> {
  const all = ["shell", "delegate", "write", "edit", PRETEND_TOOL];
  const names = PRETEND === "has a shell alone" ? ["shell"] : all;
  const tools = names.map((name) => ({ type: "function", function: { name } }));
  const body = JSON.stringify({ messages, tools });
  const response = await fetch(`${PRETEND_MODEL}/v1/chat/completions`, { method: "POST", body });
  const { choices } = (await response.json()) as { choices: [{ message: Message }] };
  return choices[0].message;
}

/** Whether it calls its hook for this. */
function isHooked(name: string, { command = "" }: Input, isInner: boolean): boolean {
  if (PRETEND === "ignores hooks" || PRETEND_SIMPLE === "1") return false;
  if (PRETEND === "ignores hooks in subagents") return !isInner;
  if (PRETEND === "has a matcher for its shell") return name === "shell";
  if (PRETEND === "has a condition for printf") return name !== "shell" || command.startsWith("printf ");
  if (PRETEND === "ignores hooks for tools of servers") return name !== PRETEND_TOOL;
  return PRETEND !== `ignores hooks for ${name}`;
}

async function call(name: string, input: Input, isInner: boolean): Promise<string> {
  if (name === "delegate") {
    await converse(input.prompt, true);
    return "it is done";
  }
  const hook = isHooked(name, input, isInner)
    ? spawnSync(readFileSync(join(PRETEND_HOME, "hook"), "utf8"), [], {
        input: JSON.stringify(input),
        encoding: "utf8",
      })
    : { status: 0, stdout: "", stderr: "" };
  if (hook.status === 2) return PRETEND === "mute" ? "no" : hook.stderr;
  if (PRETEND === "refuses everything") return "nothing runs here";
  return run(name, input, hook.stdout !== "" && PRETEND !== "ignores rewrites" ? hook.stdout : input.command);
}

function run(name: string, { file, text, before, after }: Input, command: string): string {
  if (name === "shell") return spawnSync("/bin/sh", ["-c", command], { encoding: "utf8" }).stdout;
  if (name === "write") writeFileSync(file, text);
  if (name === "edit") writeFileSync(file, readFileSync(file, "utf8").replace(before, after));
  if (name === PRETEND_TOOL) writeFileSync(text, "ran");
  return "done";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (PRETEND === "dies") throw new Error("out of memory");
  if (PRETEND === "hangs") setInterval(() => undefined, 1_000);
  else await converse("go", false);
}
