import { SwarmError } from "../../base/errors.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Metrics } from "./metrics.ts";
import type { App } from "../server/app.ts";

/** As many questions as are counted. */
const maxCounted = 1_000;

/** `GET /metrics` for Prometheus: text, and therefore no row of the table. Host, origin and token as everywhere. */
export function addMetrics(app: App, runtime: Runtime, metrics: Metrics, streamReaders: () => number): App {
  return app.get("/metrics", async () => {
    // The user's file may have changed since.
    metrics.switch(runtime.flags.isOn("metrics"));
    const { store, traces } = runtime;
    const text = metrics.text({
      recordedRows: (await store.head()).seq,
      pendingDeliveries: (await store.outbox.totals()).pending,
      pendingApprovals: (await store.approvals.list({ status: "pending", limit: maxCounted })).length,
      streamReaders: streamReaders(),
      droppedSpans: traces.dropped,
    });
    if (text === null) throw new SwarmError("SWARM_METRICS_OFF", {});
    return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
  });
}
