import { oneLine } from "../../../base/show.ts";
import type { ResultOf } from "../../../cli/client.ts";
import { driftText } from "../../drift/cli/mark-text.ts";

export type BatchStatus = ResultOf<"batchStatus">;

export function isOver({ state }: Pick<BatchStatus, "state">): boolean {
  return state !== "running" && state !== "waiting_approval";
}

const barChars = 24;

/** `[#####-----] 42 % 1,234 records, 3 failed, 512/s, 0:12 left` */
export function barText(run: BatchStatus): string {
  const share = shareOf(run);
  if (share === null) return progressText(run);
  const full = Math.floor(share * barChars);
  return `[${"#".repeat(full)}${"-".repeat(barChars - full)}] ${progressText(run)}`;
}

/** How far it has come, in one line for people. */
export function progressText(run: BatchStatus): string {
  const { state, done_count, failed_count, rate_per_s, eta_s } = run;
  if (state === "waiting_approval") return `waits: ${oneLine(run.reason ?? "for an approval", 300)}`;
  const share = shareOf(run);
  const parts = [
    share === null ? "" : `${Math.floor(share * 100)} % `,
    `${grouped(done_count + failed_count)} records`,
    failed_count === 0 ? "" : `, ${grouped(failed_count)} failed`,
    rate_per_s === null ? "" : `, ${grouped(Math.round(rate_per_s))}/s`,
    eta_s === null ? "" : `, ${clock(eta_s)} left`,
  ];
  return parts.join("");
}

/** How it ended, and how to go on. */
export function endText(run: BatchStatus): string {
  const { run_id, state, reason, done_count, failed_count, duration_s, output, drift, can_resume } = run;
  const counts = `${grouped(done_count)} done, ${grouped(failed_count)} failed, ${duration_s.toFixed(1)} s`;
  const why = reason === null ? "" : `: ${oneLine(reason, 500)}`;
  const errors =
    failed_count === 0
      ? ""
      : `errors: ${oneLine(`${output}/errors.jsonl`, 500)}, by class: swarm batch report ${run_id}\n`;
  const next = can_resume ? `go on with: swarm batch resume ${run_id}\n` : "";
  return `${run_id} ${state}${why}\n${counts}\nresults: ${oneLine(`${output}/results.jsonl`, 500)}\n${errors}${driftText(drift)}${next}`;
}

/** Null: nobody knows how much there is. */
export function shareOf({ state, input_bytes, input_size }: BatchStatus): number | null {
  if (state === "completed" || state === "completed_with_errors") return 1;
  return input_size === null || input_size === 0 ? null : Math.min(1, input_bytes / input_size);
}

export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  const padded = (part: number) => String(part).padStart(2, "0");
  const rest = `${hours === 0 ? minutes : padded(minutes)}:${padded(whole % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}
