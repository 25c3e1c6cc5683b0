// Makes a home whose record has this many rows, and everything beside it that grows with a record: `node make-home.ts HOME ROWS`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { completeEntry } from "../../src/record/audit/complete-entry.ts";
import { isPayloadKept } from "../../src/record/port/chain.ts";
import { HeadMark } from "../../src/record/audit/head-mark.ts";
import { sealRow } from "../../src/record/audit/row-seal.ts";
import { SigningKey } from "../../src/record/audit/signing-key.ts";
import { openStore } from "../../src/store/open-store.ts";
import { fillBeside } from "./fill-beside.ts";
import { config, entryAt, timeAt } from "./rows.ts";

const [home = "", count = ""] = process.argv.slice(2);
const rows = Number(count);
mkdirSync(home, { recursive: true });
writeFileSync(join(home, "config.yaml"), config);
const key = new SigningKey(join(home, "audit-key.pem"));
const mark = new HeadMark(join(home, "audit-head"), key, { warn: console.error });
mark.begin();
const file = join(home, "swarm.db");
const store = await openStore(file);
const group = 2_000;
for (let from = 0; from < rows; from += group) {
  const size = Math.min(group, rows - from);
  await store.append(
    Array.from({ length: size }, (_, at) => {
      const given = entryAt(from + at, rows);
      const entry = completeEntry(given, timeAt(from + at, rows));
      return { entry, seal: (row) => sealRow(key, row, null, isPayloadKept(entry)) };
    }),
  );
}
const head = key.sign(await store.head(), new Date().toISOString());
await store.saveSignedHead(head);
await store.close();
mark.raise(head);
const database = new DatabaseSync(file);
fillBeside(database, rows);
database.close();
