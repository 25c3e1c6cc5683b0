import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { RunnerMessage, RunSpec } from "../src/operations/batch/run-spec.ts";
import { runnerFlags } from "../src/operations/batch/start-run.ts";
import { type Amounts, inTurn } from "./measure.ts";
import { root } from "./native-programs.ts";

/** Runs over a file of records: who does them, and how many there are. */
export const batches = {
  echo: "echo, 1 M records, durable checkpoints",
  twoThreads: "two-thread copy without checkpoints",
  readline: "readline for-await loop",
  pool: "Python Pool(2), 2,000-line chunks",
  jq: "jq -c .",
  echo20k: "echo, 20,000 records, durable checkpoints",
  ancestor: "fsync per row, checkpoint rewritten every 10",
  twoWorkers: "custom function, two workers",
  oneWorker: "custom function, one worker",
  echo10M: "echo, a record of 10 M",
  echo100k: "echo, a record of 100 k",
  memory10M: "echo, 10 M records",
  memory100k: "echo, 100 k records",
  resume90: "resume of 1 M records, 90 % done",
  resume10: "resume of 1 M records, 10 % done",
} as const;

type Name = (typeof batches)[keyof typeof batches];

/** What a peer needs that is not here: it is left out then. */
export function missingPeer(name: Name): string | null {
  const program = name === batches.jq ? "jq" : isPython(name) ? "python3" : null;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const isThere = program === null || folders.some((folder) => existsSync(join(folder, program)));
  return isThere ? null : program;
}

function isPython(name: Name): boolean {
  return name === batches.pool || name === batches.ancestor;
}

/** A run takes seconds, and each process of the benchmark makes its own input. */
const maxRounds = 2;

type Program = (
  input: string,
  folder: string,
) => { readonly argv: readonly string[]; readonly order?: object };

const peer = (file: string) => join(import.meta.dirname, "batch", file);
const node = process.execPath;
const runner = join(root, "dist/bundle/batch/batch-runner.js");

const programs: Partial<Record<Name, Program>> = {
  [batches.echo]: (input, folder) => ours({ input, output: join(folder, "out") }),
  [batches.echo20k]: (input, folder) => ours({ input, output: join(folder, "out") }),
  [batches.twoThreads]: (input, folder) => ({
    argv: [node, peer("two-threads.mjs"), input, join(folder, "rows")],
  }),
  [batches.readline]: (input, folder) => ({
    argv: [node, peer("readline-loop.mjs"), input, join(folder, "rows")],
  }),
  [batches.pool]: (input, folder) => ({ argv: ["python3", peer("pool.py"), input, join(folder, "rows")] }),
  [batches.jq]: (input) => ({ argv: ["jq", "-c", ".", input] }),
  [batches.ancestor]: (input, folder) => ({
    argv: ["python3", peer("ancestor.py"), input, join(folder, "rows"), join(folder, "list")],
  }),
  [batches.twoWorkers]: (input, folder) => custom(input, folder, 2),
  [batches.oneWorker]: (input, folder) => custom(input, folder, 1),
};

function custom(input: string, folder: string, concurrency: number) {
  const config = { function: `${peer("work.mjs")}:score` };
  return ours({ input, output: join(folder, "out"), processor: "custom", config, concurrency });
}

/** A run as the daemon would start it. */
function ours(given: Pick<RunSpec, "input" | "output"> & Partial<RunSpec>, isResumed = false) {
  const spec: RunSpec = {
    run_id: "bench",
    name: null,
    is_gzip: false,
    processor: "echo",
    config: {},
    order: "record",
    concurrency: 4,
    id_field: "record_id",
    dedupe: false,
    max_errors: null,
    record_timeout_s: 30,
    checkpoint_records: 10,
    checkpoint_ms: 100,
    chunk_records: null,
    cwd: root,
    ...given,
  };
  return { argv: [node, ...runnerFlags, runner], order: { spec, is_resumed: isResumed, sandbox: "off" } };
}

/**
 * Nanoseconds of each program for the whole file, in turn. All are processes, timed from their start to their end. `startOff`:
 * what they take for a file of one record is taken off; for one that takes less time than its start, that is the work.
 */
export function timeBatches(names: readonly Name[], records: number, { startOff = false } = {}) {
  return (rounds: number): Promise<Amounts> =>
    inFolder(async (folder) => {
      const [input, one] = [makeInput(folder, records), makeInput(folder, 1)];
      const amounts = new Map<string, number[]>(names.map((name) => [name, []]));
      for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
        for (const { name } of inTurn(names.map(nameOnly), round)) {
          const program = programs[name as Name];
          if (program === undefined) throw new Error(`${name} is no program`);
          const startMs = startOff ? (await run(program(one, folder), folder)).ms : 0;
          const { ms } = await run(program(input, folder), folder);
          amounts.get(name)?.push((ms - startMs) * 1e6);
        }
      }
      return amounts;
    });
}

/** Nanoseconds per record without the start, or mebibytes at most, of one run each over files of these sizes. */
export function growBatches(sizes: Readonly<Partial<Record<Name, number>>>, what: "ns" | "mib") {
  return (): Promise<Amounts> =>
    inFolder(async (folder) => {
      const amounts = new Map<string, number[]>();
      const output = join(folder, "out");
      const { ms: startMs } = await run(ours({ input: makeInput(folder, 1), output }), folder);
      for (const [name, records] of Object.entries(sizes)) {
        const { ms, peakKib } = await run(ours({ input: makeInput(folder, records), output }), folder);
        amounts.set(name, [what === "ns" ? ((ms - startMs) * 1e6) / records : peakKib / 1024]);
      }
      return amounts;
    });
}

/** Nanoseconds until a run that is taken up has made its first checkpoint, by how much of it is done. */
export function timeResumes(parts: Readonly<Partial<Record<Name, number>>>, records: number) {
  return (rounds: number): Promise<Amounts> =>
    inFolder(async (folder) => {
      const input = makeInput(folder, records);
      const amounts = new Map<string, number[]>();
      const saved = new Map<string, string>();
      for (const [name, part] of Object.entries(parts)) {
        const output = join(folder, `${part}`);
        await run(ours({ input, output }), folder, ({ checkpoint }) => {
          const isFar = (checkpoint?.input_lines ?? 0) >= part * records;
          return isFar ? "kill" : "go on";
        });
        saved.set(name, readFileSync(join(output, "checkpoint.json"), "utf8"));
        amounts.set(name, []);
      }
      for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
        for (const { name } of inTurn([...saved.keys()].map(nameOnly), round)) {
          const output = join(folder, `${parts[name as Name]}`);
          writeFileSync(join(output, "checkpoint.json"), saved.get(name) ?? "");
          const { ms } = await run(ours({ input, output }, true), folder, () => "kill");
          amounts.get(name)?.push(ms * 1e6);
        }
      }
      return amounts;
    });
}

const nameOnly = (name: string) => ({ name, isSync: false, run: () => null, read: () => null });

type Heed = (message: RunnerMessage) => "go on" | "kill";

/** `heed`: what a runner's message means for it; it is killed where it stands, and timed until it said that. */
async function run(
  { argv: [program = "", ...args], order }: ReturnType<Program>,
  folder: string,
  heed?: Heed,
): Promise<{ readonly ms: number; readonly peakKib: number }> {
  const rows = openSync(join(folder, "rows"), "w");
  const startedMs = performance.now();
  // A peer prints its rows, or writes them itself; ours tells how far it is.
  const child = spawn(program, args, {
    stdio: [order === undefined ? "ignore" : "pipe", order === undefined ? rows : "pipe", "inherit"],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined },
  });
  closeSync(rows);
  child.stdin?.write(`${JSON.stringify(order)}\n`);
  let last: RunnerMessage | null = null;
  let ms: number | null = null;
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      last = JSON.parse(line) as RunnerMessage;
      if (ms !== null || heed?.(last) !== "kill") return;
      ms = performance.now() - startedMs;
      child.kill("SIGKILL");
    });
  }
  const ended = once(child, "close");
  const peak = watchPeak(child.pid ?? 0, ended);
  const [code] = (await ended) as [number | null];
  ms ??= performance.now() - startedMs;
  const isWrong = heed === undefined && (code !== 0 || (order !== undefined && typeOf(last) !== "completed"));
  if (isWrong) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${JSON.stringify(last)}`);
  if (order !== undefined && heed === undefined) rmSync(join(folder, "out"), { recursive: true });
  return { ms, peakKib: await peak };
}

function typeOf(message: RunnerMessage | null): string | undefined {
  return message?.type;
}

/** The most memory a process has had; Linux keeps count of it for as long as the process is there. */
async function watchPeak(pid: number, ended: Promise<unknown>): Promise<number> {
  let isOver = false;
  let peakKib = 0;
  void ended.then(() => {
    isOver = true;
  });
  for (; !isOver; await pause(20)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      peakKib = Math.max(peakKib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      break; // it is gone
    }
  }
  return peakKib;
}

async function inFolder(work: (folder: string) => Promise<Amounts>): Promise<Amounts> {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-batch-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Records of about 200 bytes. */
function makeInput(folder: string, count: number): string {
  const path = join(folder, `${count}.jsonl`);
  const file = openSync(path, "w");
  const countries = ["DE", "FR", "US"];
  for (let at = 0, text = ""; at < count; at++) {
    const record = {
      record_id: `r${at}`,
      amount: Math.round(at * 137) / 100,
      merchant: `shop-${at % 97}`,
      country: countries[at % 3],
      features: [at % 7, at % 11, at % 13, 0.25, 1.5],
      note: "a transaction whose note is as long as it takes to be near 200 bytes",
      is_new: at % 2 === 0,
    };
    text += `${JSON.stringify(record)}\n`;
    if (text.length < 1_000_000 && at < count - 1) continue;
    writeSync(file, text);
    text = "";
  }
  closeSync(file);
  return path;
}
