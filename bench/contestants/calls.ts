import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NativeCalls } from "../../src/agents/calls/native-calls.ts";
import { newId } from "../../src/base/ids.ts";
import { openRuntime } from "../../src/daemon/runtime/runtime.ts";
import { SealedJournal } from "../../src/record/audit/sealed-journal.ts";
import { JournalFile } from "../../src/store/sqlite/journal-file.ts";
import { SigningKey } from "../../src/record/audit/signing-key.ts";
import type { ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

/** What an agent's call costs between the socket's two ends: the payload read, decided, recorded and answered. */
export function nativeCalls(name: string, config: string): Contestant {
  const home = newFolder();
  writeFileSync(join(home, "config.yaml"), `${config}\n`);
  const log = { warn: (message: string) => void process.stderr.write(`${message}\n`) };
  const opening = openRuntime({ home, cwd: home, env: {}, log, isResident: true }).then(
    (runtime) => new NativeCalls(runtime),
  );
  const framing = { agent: "claude-code", isGuard: true, timeoutMs: 59_500, env: { CLAUDECODE: "1" } };
  const project = join(home, "project");
  mkdirSync(project);
  return {
    name,
    isSync: false,
    async run(call) {
      const calls = await opening;
      const { exitCode, stderr } = await calls.answer({ ...framing, input: payload(call, project) });
      return exitCode === 0 && stderr === "" ? call : null;
    },
    read: (result) => result as ToolCall | null,
  };
}

/** The least that reads a call and keeps it: parsed, and a row of the usual size sealed and written. */
export function parseAndJournal(name: string): Contestant {
  const folder = newFolder();
  const journal = new SealedJournal(
    new JournalFile(join(folder, "journal")),
    new SigningKey(join(folder, "audit-key.pem")),
  );
  return {
    name,
    isSync: false,
    async run(call) {
      const data = JSON.parse(payload(call, folder)) as object;
      const row = { id: newId("evt"), time: new Date().toISOString(), event: "tool.before", verdict: "none" };
      journal.write({ ...row, before: JSON.stringify(data) } as never);
      journal.trim();
      return call;
    },
    read: (result) => result as ToolCall | null,
  };
}

let made = 0;

/** As Claude Code sends it; no two are the same. */
function payload({ tool_input }: ToolCall, cwd: string): string {
  const number = ++made;
  return JSON.stringify({
    session_id: "s1",
    transcript_path: join(cwd, "transcript.jsonl"),
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { ...tool_input, command: `cd src && npm test -- --grep "case ${number}" | head -50` },
    tool_use_id: `toolu_${number}`,
  });
}

/** Removed when the process ends: a contestant has no end of its own. */
function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-bench-")));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
