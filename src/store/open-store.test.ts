import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "./open-store.ts";
import { append, assertChained, entry } from "./port/store-harness.cases.ts";
import { temporaryFile } from "./sqlite/harness.cases.ts";

test("a path and sqlite:PATH are the same store, and so is what it says of itself", async (t) => {
  const file = temporaryFile(t);
  const store = await openStore(file);
  await append(store, [entry()]);
  for (const url of [file, `sqlite:${file}`, store.url]) {
    const again = await openStore(url);
    await append(again, [entry()]);
    await again.close();
  }
  await assertChained(store, 4);
  await store.close();
});

test("a colon within a path is no scheme", async (t) => {
  const file = join(temporaryFile(t), "..", "a:b", "swarm.db");
  const store = await openStore(file);
  await append(store, [entry()]);
  await store.close();
});

test("any other address is refused by its name, without its password", async () => {
  for (const url of [
    "postgres://db.internal/swarm",
    "postgresql:swarm",
    "mysql://x",
    "file:/x",
    "sqlite:",
    "",
  ])
    await assert.rejects(openStore(url), { code: "SWARM_STORE_UNSUPPORTED", params: { url } });
  const secret = ["hunter", "2"].join("");
  await assert.rejects(openStore(`postgres://ada:${secret}@db/swarm`), (error: Error) => {
    assert.ok(error.message.includes("postgres://ada:[redacted]@db/swarm"), error.message);
    return !JSON.stringify(error).includes(secret);
  });
});
