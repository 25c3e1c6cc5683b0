// Fills a store with a month of rows, again and again: `node audit-pdf-record.ts FILE COUNT`.
import { completeEntry } from "../../src/record/audit/complete-entry.ts";
import { month } from "../../src/record/pdf/harness.cases.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

const [file = "", count = ""] = process.argv.slice(2);
const store = openSqliteStore(file);
const entries = month();
for (let left = Number(count); left > 0; left -= entries.length) {
  const part = entries.slice(0, left);
  await store.append(part.map((each) => ({ entry: completeEntry(each, each.time ?? "") })));
}
await store.close();
