// An agent as small as one can be: it asks its model, its hook and the shell, in that order. `PRETEND` says what is
// wrong with it. Run as a program: PRETEND_HOME has a file that names its hook, PRETEND_MODEL is the model's address.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { PRETEND = "", PRETEND_HOME = "", PRETEND_MODEL = "" } = process.env;

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: { readonly function: { readonly name: string; readonly arguments: string } }[];
}

async function converse(prompt: string, isInner: boolean): Promise<void> {
  const messages: Message[] = [{ role: "user", content: prompt }];
  for (;;) {
    const reply = await ask(messages);
    const called = reply.tool_calls?.[0]?.function;
    if (called === undefined) return;
    const input = JSON.parse(called.arguments) as { command?: string; prompt?: string };
    messages.push(reply, { role: "tool", content: await call(called.name, input, isInner) });
  }
}

async function ask(messages: readonly Message[]): Promise<Message> {
  const names = PRETEND === "alone" ? ["shell"] : ["shell", "delegate"];
  const tools = names.map((name) => ({ type: "function", function: { name } }));
  const body = JSON.stringify({ messages, tools });
  const response = await fetch(`${PRETEND_MODEL}/v1/chat/completions`, { method: "POST", body });
  const { choices } = (await response.json()) as { choices: [{ message: Message }] };
  return choices[0].message;
}

async function call(
  name: string,
  { command = "", prompt = "" }: { command?: string; prompt?: string },
  isInner: boolean,
): Promise<string> {
  if (name === "delegate") {
    await converse(prompt, true);
    return "it is done";
  }
  const isHooked = PRETEND !== "ignores hooks" && !(isInner && PRETEND === "ignores hooks in subagents");
  const hook = isHooked
    ? spawnSync(readFileSync(join(PRETEND_HOME, "hook"), "utf8"), [], {
        input: JSON.stringify({ command }),
        encoding: "utf8",
      })
    : { status: 0, stdout: "", stderr: "" };
  if (hook.status === 2) return PRETEND === "mute" ? "no" : hook.stderr;
  if (PRETEND === "refuses everything") return "nothing runs here";
  const isRewritten = hook.stdout !== "" && PRETEND !== "ignores rewrites";
  return spawnSync("/bin/sh", ["-c", isRewritten ? hook.stdout : command], { encoding: "utf8" }).stdout;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (PRETEND === "dies") throw new Error("out of memory");
  if (PRETEND === "hangs") setInterval(() => undefined, 1_000);
  else await converse("go", false);
}
