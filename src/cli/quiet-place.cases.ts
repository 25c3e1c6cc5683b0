import assert from "node:assert/strict";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestContext } from "node:test";
import { lateEntries } from "../record/audit/read-late-entries.ts";
import { SigningKey } from "../record/audit/signing-key.ts";
import { newId } from "../base/ids.ts";
import type { NativeRequest } from "../agents/calls/native-request.ts";
import { type QuietBook, sealed } from "../daemon/runtime/quiet-book.ts";
import { Runtime } from "../daemon/runtime/runtime.ts";
import { evaluate } from "./evaluate-hook.ts";
import { answerQuietly } from "./quiet-hook.ts";

const evaluator = join(import.meta.dirname, "evaluate-hook.ts");
const log = { warn: () => undefined };
export const guardOfWrite =
  "hooks:\n  - { event: tool.before, type: command, name: guard, match: Write, on_failure: deny, command: exit 2 }\n";

export type Fields = Readonly<Record<string, unknown>>;

/** A home with this configuration, and a folder that calls come from. */
export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-quiet-")));
  readonly home = join(this.folder, "home");
  readonly cwd = join(this.folder, "work/project");

  constructor(t: TestContext, config = guardOfWrite) {
    mkdirSync(this.home, { mode: 0o700 });
    mkdirSync(this.cwd, { recursive: true });
    writeFileSync(join(this.home, "config.yaml"), config);
    t.after(() => rmSync(this.folder, { recursive: true }));
  }

  /** A call of Claude Code's; each is another one. */
  call(fields: Fields = {}, more: Partial<NativeRequest> = {}): NativeRequest {
    const named = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
    const ids = { session_id: "s1", tool_use_id: newId("call"), cwd: this.cwd };
    const input = JSON.stringify({ ...ids, ...named, ...fields });
    return { agent: "claude-code", isGuard: true, timeoutMs: 0, env: { CLAUDECODE: "1" }, input, ...more };
  }

  async quietly(request = this.call()) {
    return (await answerQuietly(request, this.home, evaluator))?.answer ?? null;
  }

  async long(request = this.call()) {
    process.env.SWARM_HOME = this.home;
    return evaluate(request);
  }

  /** Evaluates calls until one like them is known to concern nobody: not before the files are some time old. */
  async learn(fields: Fields = {}): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      await this.long(this.call(fields));
      if ((await this.quietly(this.call(fields))) !== null) return;
    }
    assert.fail("nothing was learnt");
  }

  /** Opens the record, which takes in what was left. */
  async open<T>(work: (runtime: Runtime) => T | Promise<T>): Promise<T> {
    const runtime = await Runtime.open({ home: this.home, cwd: this.cwd, env: process.env, log });
    try {
      return await work(runtime);
    } finally {
      await runtime.close();
    }
  }

  late() {
    const key = new SigningKey(join(this.home, "audit-key.pem"));
    return lateEntries(this.home, key, Date.now())?.entries ?? [];
  }

  get book(): string {
    return join(this.home, "quiet", readdirSync(join(this.home, "quiet"))[0] ?? "none");
  }

  readBook(): QuietBook {
    const text = readFileSync(this.book, "utf8");
    return JSON.parse(text.slice(text.indexOf("\n") + 1)) as QuietBook;
  }

  /** As whoever has the key could. */
  editBook(change: (book: QuietBook) => object): void {
    writeFileSync(this.book, sealed(this.home, JSON.stringify(change(this.readBook()))));
  }

  /** The row that was recorded last, with its payloads. */
  lastRow(): Promise<object | undefined> {
    return this.open(async ({ store }) => {
      const [row] = await store.listRunEvents({ limit: 1 });
      return row && { ...row, ...(await store.findPayload(row.seq)) };
    });
  }
}

export const silence = { stdout: "", stderr: "", exitCode: 0 };

/** What of a row does not hang on when, and as the how-manieth, it was made. */
export function told(row: object | undefined) {
  const of = { kind: 0, event: 0, ref: 0, actor: 0, session: 0, agent: 0, task: 0, cwd: 0, source: 0 };
  const decided = {
    verdict: 0,
    reason: 0,
    hook: 0,
    hook_digest: 0,
    outcome: 0,
    handlers: 0,
    before: 0,
    after: 0,
  };
  const names = Object.keys({ ...of, ...decided });
  const known = Object.fromEntries(names.map((name) => [name, (row as Fields | undefined)?.[name]]));
  const handlers = (known.handlers as Fields[] | undefined)?.map((handler) => ({ ...handler, ms: 0 }));
  return { ...known, handlers };
}

/** Every payload that was recorded of a real agent, as if it came from this folder. */
export function capturedCalls(cwd: string) {
  const files = globSync("../agents/adapters/*/fixtures/captured/*.json", {
    cwd: import.meta.dirname,
  }).sort();
  return files.map((file) => {
    const agent = basename(join(file, "../../.."));
    const text = readFileSync(join(import.meta.dirname, file), "utf8").replaceAll("/workspace/project", cwd);
    const input = JSON.stringify({ ...(JSON.parse(text) as Fields), cwd });
    const request: NativeRequest = { agent, isGuard: true, timeoutMs: 0, env: {}, input };
    return { file, request };
  });
}
