import type { Store } from "../../store/port/store.ts";

/** What has acknowledged more than the store has. */
interface Ahead {
  /** Null when the store has it all. */
  catchUp(): Promise<void> | null;
  /** Keeps nothing that the store has. */
  trim(): Promise<void>;
}

/** The store as all but the recorder see it: what was acknowledged is there, whenever it is asked for. `parts` take the place of its own. */
export function caughtUpStore(store: Store, ahead: Ahead, parts: Partial<Store> = {}): Store {
  const after =
    <Given extends unknown[], Found>(read: (...given: Given) => Promise<Found>) =>
    async (...given: Given): Promise<Found> => {
      const under = ahead.catchUp();
      if (under !== null) await under;
      return read(...given);
    };
  const { tokens, trust, fileTrust, plugins, approvals, outbox, inbound, flags } = store;
  const { cron, pipelines, batch, baselines, driftMarks, retention } = store;
  return {
    url: store.url,
    tokens,
    trust,
    fileTrust,
    plugins,
    approvals,
    outbox,
    inbound,
    flags,
    cron,
    pipelines,
    batch,
    baselines,
    driftMarks,
    retention,
    append: after((rows, changes) => store.append(rows, changes)),
    sync: after(() => store.sync()),
    head: after(() => store.head()),
    signedHead: after(() => store.signedHead()),
    saveSignedHead: (head) => store.saveSignedHead(head),
    replaceSignedHead: (head) => store.replaceSignedHead(head),
    listRunEvents: after((query) => store.listRunEvents(query)),
    readRunEvents: after((afterSeq, limit) => store.readRunEvents(afterSeq, limit)),
    findRunEvent: after((id) => store.findRunEvent(id)),
    findSealedRow: after((id) => store.findSealedRow(id)),
    sealedRows: after((ref) => store.sealedRows(ref)),
    readSealedRows: after((afterSeq, limit) => store.readSealedRows(afterSeq, limit)),
    refsOf: after((kind) => store.refsOf(kind)),
    lastChange: after((event, agent) => store.lastChange(event, agent)),
    approverChanges: after(() => store.approverChanges()),
    recentDenials: after((since) => store.recentDenials(since)),
    openIntents: after((limit) => store.openIntents(limit)),
    findPayload: after((seq) => store.findPayload(seq)),
    readPayloads: after((afterSeq, limit) => store.readPayloads(afterSeq, limit)),
    countExpiring: after((olderThan) => store.countExpiring(olderThan)),
    expirePayloads: async (olderThan) => {
      await ahead.trim();
      return store.expirePayloads(olderThan);
    },
    listSessions: after((page) => store.listSessions(page)),
    listHookRuns: after((hookId, page) => store.listHookRuns(hookId, page)),
    hookTotals: after((hookId) => store.hookTotals(hookId)),
    listHookSwitches: () => store.listHookSwitches(),
    close: () => store.close(),
    ...parts,
  };
}
