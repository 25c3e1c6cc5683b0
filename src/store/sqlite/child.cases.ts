// Opens a store in a process of its own, once it is told to, appends so many rows one by one, and prints how it went.
import { once } from "node:events";
import { append, entry } from "../port/store-harness.cases.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const [, , file = "", count = "0"] = process.argv;
const told = once(process, "message");
process.send?.("ready");
await told;
try {
  const store = openSqliteStore(file);
  for (let row = 0; row < Number(count); row++) await append(store, [entry()]);
  await store.close();
  process.stdout.write("done");
} catch (error) {
  process.stdout.write(String(error));
}
process.disconnect?.();
