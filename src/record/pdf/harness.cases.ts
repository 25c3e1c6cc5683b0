import { readFileSync } from "node:fs";
import { join } from "node:path";
import { extractText, getDocumentProxy } from "unpdf";
import { RecordBench } from "../audit/harness.cases.ts";
import type { NewEntry } from "../port/audit.ts";
import { handler } from "../../store/port/store-harness.cases.ts";
import type { PdfRange } from "./range.ts";
import { type Written, writePdf } from "./write-pdf.ts";

export const january: PdfRange = {
  kind: "rollup",
  run_id: null,
  from: "2026-01-01T00:00:00.000Z",
  to: "2026-02-01T00:00:00.000Z",
  rows: "notable",
};

/** A day and a minute of January 2026. */
export function at(day: number, minute = 0): string {
  return new Date(Date.UTC(2026, 0, day, 9, minute)).toISOString();
}

export interface Made extends Written {
  readonly file: string;
  /** The text of each page, as a reader of PDFs finds it. */
  readonly texts: readonly string[];
  readonly text: string;
}

/** Records the entries and makes a document of them. */
export async function made(
  t: { after(work: () => Promise<void>): void },
  entries: readonly NewEntry[],
  range: PdfRange = january,
): Promise<Made> {
  const bench = new RecordBench(t);
  await bench.recorded(entries);
  return madeFrom(bench, range, "report.pdf");
}

export async function madeFrom(bench: RecordBench, range: PdfRange, name: string): Promise<Made> {
  const store = bench.open();
  const head = (await store.signedHead()) ?? bench.key.sign({ seq: 0, hash: "0".repeat(64) }, at(1));
  const file = join(bench.folder, name);
  const written = await writePdf({ store, key: bench.key.publicKey, head, range, file });
  await store.close();
  return { ...written, file, ...(await readBack(file)) };
}

/** Reads a file as somebody's viewer would. */
export async function readBack(file: string): Promise<{ texts: readonly string[]; text: string }> {
  const { text: texts } = await extractText(await openPdf(file), { mergePages: false });
  return { texts, text: texts.join("\n").replaceAll(/\s+/g, " ") };
}

export function openPdf(file: string) {
  return getDocumentProxy(new Uint8Array(readFileSync(file)), { verbosity: 0 });
}

/** A decision on a tool call. */
export function toolCall(
  time: string,
  given: Partial<NewEntry> = {},
  input: object = { command: "ls" },
): NewEntry {
  return {
    kind: "emit",
    event: "tool.before",
    actor: "agent:claude-code",
    agent: "claude-code",
    session: "s1",
    time,
    verdict: "none",
    handlers: [handler({ name: "starter policy", kind: "policy", digest: "5f".repeat(32), hook_id: null })],
    before: JSON.stringify({ tool_name: "Bash", tool_input: input }),
    ...given,
  };
}

export function denial(time: string, rule: string, reason: string, command = "rm -rf /"): NewEntry {
  const said = {
    verdict: "deny",
    outcome: "denied",
    hook: rule,
    hook_digest: "5f".repeat(32),
    reason,
  } as const;
  return toolCall(time, said, { command });
}

/** One row of an event that others have told of. */
export function told(time: string, event: string, data: object, given: Partial<NewEntry> = {}): NewEntry {
  return { kind: "emit", event, actor: "swarm", time, before: JSON.stringify(data), ...given };
}

/** A month as it is: calls, denials, runs of jobs, approvals, failures and changes. */
export function month(callsPerDay = 12): NewEntry[] {
  const entries: NewEntry[] = [];
  for (let day = 1; day <= 31; day++) {
    for (let call = 0; call < callsPerDay + ((day * 7) % 5); call++)
      entries.push(toolCall(at(day, call), call % 4 === 0 ? { verdict: "allow" } : {}));
    if (day % 3 === 0)
      entries.push(denial(at(day, 40), "no-force-push", "history others have is not rewritten"));
    if (day % 4 === 0) entries.push(denial(at(day, 41), "secrets", "this file holds secrets", "cat .env"));
    if (day % 7 === 0) entries.push(denial(at(day, 42), "freeze", "no deployments on weekends"));
    const run = {
      name: "nightly_drift",
      job_id: "cj_1",
      run_id: `cr_${day}`,
      task: "drift_check",
      attempt: 1,
    };
    entries.push(
      told(at(day, 45), "cron.fired", { ...run, config: {} }, { task: run.run_id, source: "cron" }),
    );
    const end = { ...run, scheduled_at: at(day, 45), duration_s: 12.4 + day };
    const failed = { ...end, error: "drift: amount KS 0.31 over 0.15", exit_code: 1 };
    entries.push(
      day % 10 === 0
        ? told(at(day, 46), "cron.failed", failed, { task: run.run_id, source: "cron" })
        : told(at(day, 46), "cron.completed", end, { task: run.run_id, source: "cron" }),
    );
  }
  const asked = { approval_id: "apr_1", name: "Bash", rule: "deploy", reason: "production needs a person" };
  entries.push(told(at(9, 50), "approval.requested", { ...asked, requested_by: "agent:claude-code" }));
  const decided = {
    decision: "approved",
    decided_by: "human:maria",
    comment: "Checked with the release plan.",
  };
  entries.push(told(at(9, 55), "approval.decided", { ...asked, ...decided }, { actor: "human:maria" }));
  const failure = {
    name: "lint",
    event: "tool.after",
    status: "timed_out",
    code: "SWARM_HOOK_TIMEOUT",
    error: "no answer in 30 s",
  };
  entries.push(told(at(12, 50), "hook.failed", failure));
  entries.push({
    kind: "change",
    event: "trust.approved",
    actor: "human:maria",
    time: at(2, 58),
    reason: "3 hooks of /srv/app",
  });
  entries.push({
    kind: "change",
    event: "flag.set",
    actor: "human:li",
    time: at(20, 58),
    reason: "traces on",
  });
  return entries.sort((a, b) => ((a.time ?? "") < (b.time ?? "") ? -1 : 1));
}

/** Texts that would do harm if they could. */
export const hostile = {
  bidi: "safe\u202egpj.exe\u202c name",
  controls: "bell\u0007 escape\u001b[31mred\u001b[0m null-ish \u0085",
  lines: "first line\nRow 99 2026-01-01 approved by nobody\r\nthird",
  syntax:
    ") Tj ET Q endstream endobj << /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >> %%EOF (unbalanced \\",
  address: "see https://evil.example/login?next=javascript:alert(1) and mailto:a@b.example",
  long: "W".repeat(5_000),
  huge: "lorem ipsum ".repeat(90_000),
  marks: `Z${"\u0301\u0323\u0330\u0334".repeat(40)}algo`,
  invisible: "a\u200bb\u2060c\ufeffd\u00ade",
  markup: "<script>alert(1)</script> & <b>bold</b>",
} as const;

export const languages = {
  english: "The quick brown fox",
  greek: "Ξεσκεπάζω την ψυχοφθόρα",
  russian: "Съешь ещё этих мягких французских булок",
  chinese: "我能吞下玻璃而不伤身体",
  japanese: "いろはにほへと 色は匂へど カタカナ",
  korean: "키스의 고유조건은 입술끼리",
  arabic: "نص حكيم له سر قاطع وذو شأن عظيم",
  hebrew: "דג סקרן שט בים (מאוכזב) 123 ולפתע",
  mixed: "user said שלום עולם to bob@example.com and مرحبا 42 times",
  hindi: "ऋषियों को सताने वाले",
  thai: "เป็นมนุษย์สุดประเสริฐ",
  vietnamese: "Tiếng Việt có dấu: ắ ệ ữ",
  emoji: "ship it 🚀 done ✅ 😀 👩‍💻",
  symbols: "→ ≤ ∑ € £ ½ © ™ “quotes” – dash … ✓ ✗",
} as const;
