import { createHash } from "node:crypto";
import type { HookConfig } from "./hook-config.ts";

/**
 * Tells one version of a hook from another: everything it was declared with but its place in the file. Secrets and
 * headers are left out, or the record would hold something to guess them by.
 */
export function hookDigest(hook: HookConfig): string {
  const { source: _source, action, ...declared } = hook;
  const { secret: _secret, headers: _headers, ...open } = { secret: null, headers: null, ...action };
  return createHash("sha256")
    .update(JSON.stringify({ ...declared, action: open }))
    .digest("hex");
}
