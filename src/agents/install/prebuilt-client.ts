import { createRequire } from "node:module";

/** The client that a package of this platform has, without settings; null: npm has installed no such package. */
export function prebuiltClient(
  platform: string = process.platform,
  arch: string = process.arch,
): string | null {
  try {
    return createRequire(import.meta.url).resolve(`@swarm-hooks/client-${platform}-${arch}/swarm-hook`);
  } catch {
    return null;
  }
}
