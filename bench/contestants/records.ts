import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emitEntry } from "../../src/record/audit/entry.ts";
import { SealedJournal } from "../../src/record/audit/sealed-journal.ts";
import { JournalFile } from "../../src/store/sqlite/journal-file.ts";
import { JournaledRecorder } from "../../src/record/audit/journaled-recorder.ts";
import { Recorder } from "../../src/record/audit/recorder.ts";
import { SigningKey } from "../../src/record/audit/signing-key.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { HandlerRecord } from "../../src/engine/events/outcome.ts";
import { Outcome } from "../../src/engine/events/outcome.ts";
import type { Audit } from "../../src/record/port/audit.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

/** A decision one guard took part in, as the store takes it: redacted, chained, hashed, with payload and hook run. */
export function record(name: string, durability: "process" | "power_loss"): Contestant {
  return recording(name, opened(durability).recorder);
}

/** The same as the daemon acknowledges it: from its journal, with the share of the transactions that follow. */
export function journaled(name: string): Contestant {
  const { folder, store, key, recorder } = opened("process");
  const journal = new SealedJournal(new JournalFile(join(folder, "journal")), key);
  const log = { warn: (message: string) => void process.stderr.write(`${message}\n`) };
  return recording(name, new JournaledRecorder({ recorder, journal, store, clock: systemClock, log }));
}

function opened(durability: "process" | "power_loss") {
  const folder = newFolder();
  const store = openSqliteStore(join(folder, "swarm.db"));
  const key = new SigningKey(join(folder, "audit-key.pem"));
  return { folder, store, key, recorder: new Recorder({ store, key, clock: systemClock, durability }) };
}

function recording(name: string, audit: Audit): Contestant {
  const origin = { session: "ses_01j9k2m4", cwd: "/home/ann/project", source: "claude-code" };
  const hookOf = () => ({ id: "tool_before-no_force_push-07ec63a9", digest: "0".repeat(64) });
  return {
    name,
    isSync: false,
    async run(call) {
      const outcome = new Outcome("tool.before", call);
      outcome.handlers = [handler];
      const { id } = await audit.record(emitEntry(outcome, call, origin, "agent:a", 1.2, hookOf));
      return id === outcome.id ? call : null;
    },
    read: (result) => result as ToolCall | null,
  };
}

const handler: HandlerRecord = {
  name: "no-force-push",
  kind: "command",
  mode: "guard",
  status: "completed",
  verdict: "none",
  reason: null,
  ms: 1.2,
};

/** The same bytes in one row of one table, with nothing to find it by and nothing to check it with. */
export function bareInsert(name: string, rowsPerCommit: number): Contestant {
  const database = openDatabase(join(newFolder(), "bare.db"));
  database.exec("create table bare (seq integer primary key, text text)");
  const insert = database.prepare("insert into bare (text) values (?)");
  const text = "x".repeat(900);
  return {
    name,
    isSync: true,
    run(call) {
      database.exec("begin immediate");
      for (let row = 0; row < rowsPerCommit; row++) insert.run(text + call.tool_input.command);
      database.exec("commit");
      return call;
    },
    read: (result) => result as ToolCall | null,
  };
}

/** Removed when the process ends: a contestant has no end of its own. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
