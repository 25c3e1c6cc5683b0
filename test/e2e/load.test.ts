// The short form; `npm run test:faults` is the long one.
import { suite, test } from "node:test";
import { hugeBody, noProc, slowSockets, soak, storm } from "../faults/load.ts";

suite("under load the daemon answers, closes what it should and keeps nothing", { skip: noProc }, () => {
  test("with 500 sockets that never finish asking", async (t) => t.diagnostic(await slowSockets(500)));
  test("with a body far larger than it takes", async (t) => t.diagnostic(await hugeBody(128)));
  test("with a storm of events", async (t) => t.diagnostic(await storm(2_000)));
  test("round after round", async (t) => t.diagnostic(await soak((rounds) => rounds >= 2)));
});
