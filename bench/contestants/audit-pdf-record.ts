// Fills a store with a month of rows, again and again: `node audit-pdf-record.ts FILE COUNT`.
import { follow } from "../../src/record/port/chain.ts";
import { completeEntry } from "../../src/record/audit/complete-entry.ts";
import { month } from "../../src/record/pdf/harness.cases.ts";
import type { Head } from "../../src/store/port/store.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

const [file = "", count = ""] = process.argv.slice(2);
const store = openSqliteStore(file);
const entries = month();
for (let left = Number(count); left > 0; left -= entries.length) {
  await store.append((head) => {
    let last: Head = head;
    return entries.slice(0, left).map((entry) => {
      const made = follow(last, completeEntry(entry, entry.time ?? ""));
      last = made.row;
      return made;
    });
  });
}
await store.close();
