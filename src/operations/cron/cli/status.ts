import type { Style, Styled } from "../../../cli/style.ts";

const styles: Readonly<Record<string, Style>> = {
  completed: "green",
  running: "cyan",
  queued: "cyan",
  waiting: "yellow",
  paused: "yellow",
  skipped: "yellow",
  missed: "yellow",
  failed: "red",
  timed_out: "red",
  interrupted: "red",
  denied: "red",
  cancelled: "yellow",
};

export function styledStatus(status: string): Styled {
  return { text: status, format: styles[status] ?? "dim" };
}
