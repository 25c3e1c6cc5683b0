import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";

/** Every path the dashboard is made of. */
const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/app.js": ["app.js", "text/javascript; charset=utf-8"],
  "/passkeys.js": ["passkeys.js", "text/javascript; charset=utf-8"],
  "/app.css": ["app.css", "text/css; charset=utf-8"],
  "/icon.svg": ["icon.svg", "image/svg+xml"],
};

export const dashboardPaths = Object.keys(files);

/** The same path from src/daemon/server and from dist/daemon/server. */
const builtFolder = join(import.meta.dirname, "..", "..", "..", "dist", "dashboard");

/**
 * The page shows what agents and strangers wrote: whatever of it were taken for a script or a style is not run. With
 * `trusted-types 'none'` no text can become markup at all, not even by a mistake of ours.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const headers = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Asked for every time and answered by 304: a page of the daemon before never speaks to this one.
  "cache-control": "no-cache",
};

interface Loaded {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** The dashboard's files, each read when it is first asked for. */
export class DashboardFiles {
  readonly #folder: string;
  readonly #loaded = new Map<string, Promise<Loaded>>();

  constructor(folder = builtFolder) {
    this.#folder = folder;
  }

  /** @throws SWARM_DASHBOARD_MISSING when it was not built. */
  async answer(path: string, knownTag: string | undefined): Promise<Response> {
    const [file, type] = files[path] ?? [];
    if (file === undefined || type === undefined)
      throw new SwarmError("SWARM_ROUTE_UNKNOWN", { method: "GET", path });
    const { body, etag } = await this.#load(file);
    const all = { ...headers, "content-type": type, etag };
    if (knownTag === etag) return new Response(null, { status: 304, headers: all });
    return new Response(body, { headers: all });
  }

  #load(file: string): Promise<Loaded> {
    const known = this.#loaded.get(file);
    if (known !== undefined) return known;
    const loading = read(join(this.#folder, file));
    this.#loaded.set(file, loading);
    // One that could not be read is tried again: it may be built meanwhile.
    loading.catch(() => this.#loaded.delete(file));
    return loading;
  }
}

async function read(path: string): Promise<Loaded> {
  try {
    const body = new Uint8Array(await readFile(path));
    return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
  } catch (error) {
    throw new SwarmError(
      "SWARM_DASHBOARD_MISSING",
      { problem: (error as Error).message },
      { cause: error as Error },
    );
  }
}
