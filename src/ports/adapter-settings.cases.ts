import type { Adapter } from "./adapter.ts";
export function settingsCases(_: Adapter): void {
  return;
}
