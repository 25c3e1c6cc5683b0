import type { ScanReport } from "../report.ts";
export function pageOf(report: ScanReport): string {
  return report.summary;
}
