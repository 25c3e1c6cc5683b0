import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { fileStamp } from "../base/file-stamp.ts";

/** The start of a file of compiled code, padded to this length: V8 copies code that is not aligned. */
interface Header {
  /** Of the source: V8 itself compares no more of it than its length. */
  readonly stamp: string;
  /** What calls the code has seen: what none of them ran is compiled again by each call that does. */
  readonly ways: readonly string[];
}

interface Compiled extends Header {
  readonly code: Buffer;
}

const headerBytes = 4096;
/** Tool names come from models. The first call of a kind goes the long way, so these are 16 tools. */
const maxWays = 32;
const maxWayChars = 100;

/** What a bundle exports. */
interface Exports {
  /** In a word or two what kind of call this was; of the bundle that was loaded first. */
  readonly way?: () => string;
}

/**
 * Runs a bundle that lies beside this one. Compiled code is kept from a call's end, with every function it needed: Node
 * keeps what is compiled when a file is loaded, which is none of them, and compiling them takes a tenth of a call.
 * `folder`: where it is kept; whoever can write there decides what is run.
 */
export function loadBundle(name: string, folder: string | null, require: NodeJS.Require): unknown {
  let main: Exports | null = null;
  const load = (bundle: string): Exports => {
    const file = join(import.meta.dirname, `${bundle}.js`);
    const stamp = fileStamp(file);
    const kept = folder === null ? null : compiledIn(join(folder, bundle), stamp);
    const script = new Script(readFileSync(file, "utf8"), {
      filename: file,
      ...(kept !== null && { cachedData: kept.code }),
    });
    const module: { exports: Exports } = { exports: {} };
    const requireBeside = (id: string): unknown =>
      id.startsWith("./") ? load(id.slice(2, -3)) : require(id);
    script.runInThisContext()(module.exports, requireBeside, module, file, dirname(file), importModule);
    main ??= module.exports;
    if (folder !== null) {
      const ways = script.cachedDataRejected === false ? (kept?.ways ?? []) : [];
      process.once("exit", () => keep(join(folder, bundle), { stamp, ways }, main?.way?.() ?? "", script));
    }
    return module.exports;
  };
  return load(name);
}

/** From here, where the bundles are. */
function importModule(specifier: string): Promise<unknown> {
  return import(specifier);
}

/** Null when there is none of this source. */
function compiledIn(file: string, stamp: string): Compiled | null {
  try {
    const bytes = readFileSync(file);
    const header = JSON.parse(bytes.toString("utf8", 0, headerBytes)) as Header;
    return header.stamp === stamp ? { ...header, code: bytes.subarray(headerBytes) } : null;
  } catch {
    return null; // not there, or not what was written
  }
}

/** Keeps what is compiled now, if a call of this kind has not been seen. */
function keep(file: string, { stamp, ways }: Header, way: string, script: Script): void {
  const isSeen = ways.includes(way) || way.length > maxWayChars || ways.length >= maxWays;
  if (isSeen && ways.length > 0) return;
  const made = `${file}.${process.pid}`;
  try {
    const header = JSON.stringify({ stamp, ways: [...ways, way.slice(0, maxWayChars)] } satisfies Header);
    const bytes = Buffer.concat([Buffer.alloc(headerBytes, " "), script.createCachedData()]);
    if (bytes.write(header) >= headerBytes) return;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Flushed: V8 does not look whether the code is whole.
    writeFileSync(made, bytes, { mode: 0o600, flag: "wx", flush: true });
    renameSync(made, file);
  } catch {
    rmSync(made, { force: true }); // no disk, no rights: it is compiled again
  }
}
