import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveStream, type StreamOptions } from "./live-stream.ts";

/** A stream whose sockets, waits and permission are in the test's hand. */
function stream(mayReconnect = true) {
  const opened: (number | null)[] = [];
  const heard: unknown[] = [];
  const waits: number[] = [];
  const sockets: EventTarget[] = [];
  const options: StreamOptions = {
    connect: (afterSeq) => {
      opened.push(afterSeq);
      const socket = Object.assign(new EventTarget(), { close: () => undefined });
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    onRow: ({ seq }) => void heard.push(seq),
    onGap: (gap) => void heard.push(gap),
    onState: (state) => void heard.push(state),
    mayReconnect: async () => mayReconnect,
    wait: async (ms) => void waits.push(ms),
  };
  const live = new LiveStream(options);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const say = (message: object) =>
    sockets.at(-1)?.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  const happen = async (name: "open" | "close") => {
    sockets.at(-1)?.dispatchEvent(new Event(name));
    await settle();
  };
  return { live, opened, heard, waits, say, happen };
}

test("a connection that is lost goes on after the last row that was heard of, a gap's end included", async () => {
  const { opened, heard, say, happen } = stream();
  await happen("open");
  say({ row: { seq: 7 } });
  await happen("close");
  await happen("open");
  say({ gap: { after: 7, before: 1_200 } });
  await happen("close");
  assert.deepEqual(opened, [null, 7, 1_199]);
  assert.deepEqual(heard, [
    "connecting",
    "live",
    7,
    "lost",
    "connecting",
    "live",
    { after: 7, before: 1_200 },
    "lost",
    "connecting",
  ]);
});

test("it waits twice as long each time, up to a quarter of a minute, and begins anew once it was let in", async () => {
  const { waits, happen } = stream();
  for (let time = 0; time < 6; time++) await happen("close");
  await happen("open");
  await happen("close");
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 1_000]);
});

test("whoever is not let in any more, or has closed it, does not try again", async () => {
  const refused = stream(false);
  await refused.happen("close");
  assert.equal(refused.opened.length, 1);
  const closed = stream();
  closed.live.close();
  await closed.happen("close");
  assert.equal(closed.opened.length, 1);
});
