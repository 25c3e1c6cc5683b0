import type { Log } from "../../base/log.ts";
import type { FlagOverride } from "../../daemon/flags/port/flag-store.ts";
import type { InstalledPlugin } from "../../policy/plugins/port/plugin-store.ts";
import type { HookSwitch, Store } from "../../store/port/store.ts";
import type { TrustedHook } from "../../policy/trust/port/trust-store.ts";
import { type GrantCheck, problemOf, type RecordedGrant } from "./grant-check.ts";
import { type Grant, grants } from "./grants.ts";

type Recorded = ReadonlyMap<string, RecordedGrant>;

/**
 * The parts of the store that grant something, as everybody sees them who acts on it: a row that the record does not tell of
 * in the same words is left out, and what the record says is in force is put back where that can be known from its row.
 */
export function believedParts(store: Store, check: GrantCheck, log: Log): Partial<Store> {
  const said = new Set<string>();
  const refuse = (ref: string, problem: string): void => {
    const message = `${ref} in the store does not count: ${problem}; see swarm audit verify`;
    if (said.has(message)) return;
    said.add(message);
    log.warn(message, { ref });
  };
  const believed = <Row>(rows: readonly Row[], grantOf: (row: Row) => Grant, recorded: Recorded): Row[] =>
    rows.filter((row) => {
      const { ref, state } = grantOf(row);
      const problem = problemOf(state, recorded.get(ref) ?? null);
      if (problem !== null) refuse(ref, problem);
      return problem === null;
    });
  /** What is in force by the record and by no row of the store. */
  const missing = (recorded: Recorded, found: readonly Grant[]): [string, RecordedGrant][] => {
    const refs = new Set(found.map(({ ref }) => ref));
    return [...recorded].filter(([ref]) => !refs.has(ref));
  };
  const restored = <Row>(
    kind: string,
    rows: readonly Row[],
    grantOf: (row: Row) => Grant,
    recorded: Recorded,
    restore: (name: string, recorded: RecordedGrant) => Row | undefined,
  ): Row[] => {
    const kept = believed(rows, grantOf, recorded);
    const put = missing(recorded, kept.map(grantOf)).flatMap(([ref, each]) => {
      refuse(ref, `row ${each.row.seq} of the record says what it is`);
      return restore(ref.slice(kind.length + 1), each) ?? [];
    });
    return [...kept, ...put];
  };

  return {
    tokens: withMethods(store.tokens, {
      list: async () => {
        const rows = await store.tokens.list();
        const inForce = rows.filter(({ revoked_at }) => revoked_at === null);
        const kept = new Set(believed(inForce, grants.token, await check.inForce("token")));
        return rows.filter((row) => row.revoked_at !== null || kept.has(row));
      },
    }),
    trust: withMethods(store.trust, {
      list: async () => {
        const { trusted, ignored } = await store.trust.list();
        const recorded = await check.inForce("trust");
        const projects = [...new Set(trusted.map(({ file }) => file))].map((file) => ({
          file,
          hooks: trusted.filter((hook) => hook.file === file),
        }));
        const project = ({ file, hooks }: { file: string; hooks: readonly TrustedHook[] }) =>
          grants.project(file, hooks);
        const approved = believed(projects, project, recorded);
        const left = believed(ignored, grants.ignored, recorded);
        const found = [...approved.map(project), ...left.map(grants.ignored)];
        const gone = missing(recorded, found).map(([ref, { row }]) => {
          refuse(ref, `row ${row.seq} of the record says what it is`);
          return ref.slice("trust:".length);
        });
        // What was decided and the record does not tell of: a guard may have been approved there.
        const unbelieved: string[] = [];
        for (const file of new Set([...projects, ...ignored].map((each) => each.file)))
          if ((await check.recorded(`trust:${file}`)) === null) unbelieved.push(file);
        const unsealed = (await check.unsealed("trust")).map((ref) => ref.slice("trust:".length));
        const doubted = [...new Set([...gone, ...unbelieved, ...unsealed])];
        return { trusted: approved.flatMap(({ hooks }) => hooks), ignored: left, doubted };
      },
    }),
    fileTrust: withMethods(store.fileTrust, {
      list: async () => believed(await store.fileTrust.list(), grants.file, await check.inForce("file")),
      find: async (sha256) => {
        const row = await store.fileTrust.find(sha256);
        const problem = row === null ? null : await check.problemOf(grants.file(row));
        if (problem !== null) refuse(`file:${sha256}`, problem);
        return problem === null ? row : null;
      },
    }),
    plugins: withMethods(store.plugins, {
      list: async () => {
        const recorded = await check.inForce("plugin");
        return restored("plugin", await store.plugins.list(), grants.plugin, recorded, recordedPlugin);
      },
    }),
    flags: withMethods(store.flags, {
      list: async () => {
        const recorded = await check.inForce("flag");
        return restored("flag", await store.flags.list(), grants.flag, recorded, recordedFlag);
      },
    }),
    // A row that was not written here ends approving, as one does whose text is gone.
    approverChanges: async () => {
      const found = await store.approverChanges();
      return found.map((change) => (check.isWrittenHere(change) ? change : { ...change, text: null }));
    },
    listHookSwitches: async () => {
      const recorded = await check.inForce("hook");
      return restored("hook", await store.listHookSwitches(), grants.hookSwitch, recorded, recordedSwitch);
    },
    pipelines: withMethods(store.pipelines, {
      listStages: async (model) =>
        believed(await store.pipelines.listStages(model), grants.stage, await check.inForce("model")),
    }),
  };
}

/** The private copy is named by the digest; which events it guards is not in the row, and tools are what matters. */
function recordedPlugin(name: string, { row }: RecordedGrant): InstalledPlugin | undefined {
  const { hook_digest: digest, time, actor } = row;
  if (digest === null) return undefined;
  const is_enabled = row.event !== "plugin.disabled";
  return {
    name,
    version: null,
    digest,
    source: "",
    guarded_events: ["tool.before"],
    is_enabled,
    time,
    actor,
  };
}

/** There are two values: the one with the digest that was recorded. */
function recordedFlag(
  name: string,
  { row: { time, actor }, state }: RecordedGrant,
): FlagOverride | undefined {
  return [true, false]
    .map((is_on) => ({ name, is_on, time, actor }))
    .find((flag) => grants.flag(flag).state === state);
}

function recordedSwitch(hook_id: string, { row, state }: RecordedGrant): HookSwitch | undefined {
  const { time, actor } = row;
  return [true, false]
    .map((is_enabled) => ({ hook_id, is_enabled, time, actor }))
    .find((each) => grants.hookSwitch(each).state === state);
}

/** The same object but for these methods; its own have private fields, and are called on itself. */
function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (Object.hasOwn(methods, name)) return methods[name as keyof T];
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}
