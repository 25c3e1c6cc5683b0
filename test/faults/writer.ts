// Records without a pause until it is killed, and prints the id of every row it was told is recorded.
// Arguments: the database, the file of the key, what an acknowledged row survives.
import { writeSync } from "node:fs";
import { type Durability, Recorder } from "../../src/record/audit/recorder.ts";
import { SigningKey } from "../../src/record/audit/signing-key.ts";
import { systemClock } from "../../src/base/clock.ts";
import { newId } from "../../src/base/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

const [, , file = "", keyFile = "", durability = "process"] = process.argv;

// Written at once and not through a stream: what is not in the pipe dies with the process.
const tell = (text: string): void => void writeSync(1, `${text}\n`);

tell("opening");
const store = openSqliteStore(file);
const key = new SigningKey(keyFile);
const recorder = new Recorder({ store, key, clock: systemClock, durability: durability as Durability });

/** Some are waited for on the disk, some are large enough to have the log folded into the file now and then. */
async function write(caller: number): Promise<never> {
  for (let count = 0; ; count++) {
    const isIntent = caller === 0 && count % 10 === 0;
    const id = newId(isIntent ? "intent" : "evt");
    const before = JSON.stringify({ caller, count, text: "x".repeat(count % 20 === 0 ? 20_000 : 100) });
    const told = { id, event: "tool.before", actor: "swarm", session: `s${caller}`, before };
    if (isIntent) {
      const end = await recorder.intent(told);
      tell(id);
      await end({ outcome: "completed" });
    } else {
      await recorder.record({ ...told, kind: "emit" });
      tell(id);
    }
  }
}

await Promise.all(Array.from({ length: 16 }, (_, caller) => write(caller)));
