import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { processorCases } from "../../port/processor.cases.ts";
import { custom } from "./custom.ts";

const files: Readonly<Record<string, string>> = {
  "work.ts": `
    interface Given { readonly n: number; readonly do?: string }
    export function each(record: Given): unknown { obey(record); return { n: record.n }; }
    export async function later(record: Given): Promise<unknown> {
      if (record.do === "stay") await new Promise(() => setInterval(() => undefined, 1_000));
      await new Promise(setImmediate);
      return each(record);
    }
    export function all(records: Given[]): unknown { return records.map(each); }
    function obey(record: Given): void {
      if (record.do === "throw") throw new RangeError("told to");
      if (record.do === "crash") process.kill(process.pid, "SIGKILL");
      if (record.do === "stay") for (;;);
      if (record.do === "print") console.log("hello");
    }`,
  "work.py": `
import asyncio, os, signal

def each(record):
    obey(record)
    return {"n": record.get("n")}

async def later(record):
    await asyncio.sleep(3600 if record.get("do") == "stay" else 0)
    return each(record)

def all(records):
    return [each(record) for record in records]

def obey(record):
    what = record.get("do")
    if what == "throw": raise ValueError("told to")
    if what == "crash": os.kill(os.getpid(), signal.SIGKILL)
    if what == "print": print("hello")
    while what == "stay": pass
`,
};

function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "swarm-custom-")));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

const refused = [
  [{ function: "" }, "function"],
  [{ function: "work.ts" }, "function"],
  [{ function: ":each" }, "function"],
  [{ function: "./work.ts:a-b" }, "function"],
  [{ function: "./wo\0rk.ts:each" }, "function"],
  [{ function: "work:each", python: " " }, "python"],
] as const;

/** Every way to write a function, in one language. */
export function customCases(runtime: string, module: string, skip: string | false): void {
  for (const [name, mode] of [
    ["each", "record"],
    ["later", "record"],
    ["all", "chunk"],
  ] as const) {
    const config = { function: `${module}:${name}`, mode };
    processorCases({
      name: `custom, ${runtime}, ${name}`,
      skip,
      kind: () => custom,
      folder,
      works: config,
      obeys: config,
      refused,
      unusable: [
        [{ function: `${module}:nothing` }, "SWARM_BATCH_START_FAILED"],
        [{ function: "./nowhere.ts:each" }, "SWARM_BATCH_FUNCTION_UNKNOWN"],
      ],
    });
  }
}
