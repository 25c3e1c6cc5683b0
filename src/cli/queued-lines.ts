/** What of an outcome is still to be sent, and by whom. */
export function queuedLines(
  handlers: readonly { readonly kind: string; readonly status: string }[],
  isDaemonUp: boolean,
): string[] {
  const count = handlers.filter(({ kind, status }) => kind === "webhook" && status === "completed").length;
  if (count === 0) return [];
  const when = isDaemonUp ? "the daemon sends" : "the daemon, once it runs (swarm up), sends";
  return [`webhooks: ${count} queued; ${when} ${count === 1 ? "it" : "them"}`];
}
