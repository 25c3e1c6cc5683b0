import { createHash } from "node:crypto";
import type { HookConfig, ServerConfig } from "./hook-config.ts";

/**
 * Tells one version of a hook from another: everything it was declared with but its place in the file. Secrets and
 * headers are left out, or the record would hold something to guess them by.
 */
export function hookDigest(hook: HookConfig): string {
  const { source: _source, action, ...declared } = hook;
  const none = { secret: null, previousSecret: null, headers: null, written: null, routingKey: null };
  const known = { ...none, ...action };
  const {
    secret: _secret,
    previousSecret: _previous,
    headers: _headers,
    written: _written,
    routingKey: _key,
    ...open
  } = known;
  return createHash("sha256")
    .update(JSON.stringify({ ...declared, action: open }))
    .digest("hex");
}

/**
 * Tells one version of a server from another: all its file says of it, environment and address included, because each
 * of them decides what runs. Variables stand in it by name, so no secret does unless somebody wrote it into the file.
 */
export function serverDigest({ name, source, written }: ServerConfig): string {
  return createHash("sha256")
    .update(JSON.stringify([source.file, name, written]))
    .digest("hex");
}
