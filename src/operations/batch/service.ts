import { resolve } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { BatchRuns } from "./runs/runs.ts";
import { loadUserConfig } from "../../config/load.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { Store } from "../../store/port/store.ts";
import type { FileTrust } from "../../policy/trust/file-trust.ts";
import { type MayRunOptions, mayRunBy } from "../may-run.ts";

export interface BatchServiceOptions extends MayRunOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly audit: Audit;
  readonly emit: Emit;
  readonly trust: { readonly files: Pick<FileTrust, "copyOf"> };
}

export async function openBatch(options: BatchServiceOptions): Promise<BatchRuns> {
  const [{ BatchRuns }, { startBatch }, { processorKinds }] = await Promise.all([
    import("./runs/runs.ts"),
    import("./start-batch.ts"),
    import("./processors/index.ts"),
  ]);
  const { home, store, env, trust } = options;
  const user = () => loadUserConfig({ home, env });
  return new BatchRuns({
    ...options,
    store: store.batch,
    kinds: processorKinds,
    async copiesOf({ processor, config, cwd }) {
      const paths = processorKinds[processor]?.codeFiles?.(config) ?? [];
      const copies = paths.map(async (path) => [path, await trust.files.copyOf(resolve(cwd, path))] as const);
      return Object.fromEntries(await Promise.all(copies));
    },
    mayRun: mayRunBy(options),
    start: (order, onMessage) => startBatch({ ...order, sandbox: user().sandbox }, { env, onMessage }),
    uploadLimitBytes: () => user().batch.uploadLimitBytes,
  });
}
