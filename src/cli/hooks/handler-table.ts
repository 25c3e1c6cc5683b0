import type { HandlerRecord } from "../../engine/events/outcome.ts";
import { styledVerdict } from "../style.ts";
import { table } from "../table.ts";

export function handlerTable(handlers: readonly HandlerRecord[]): string {
  const rows = handlers.map(({ name, kind, mode, status, verdict, ms, reason }) => {
    return [name, kind, mode, status, styledVerdict(verdict), `${ms.toFixed(1)} ms`, reason ?? ""];
  });
  return table(["HOOK", "KIND", "MODE", "STATUS", "VERDICT", "TOOK", "REASON"], rows);
}
