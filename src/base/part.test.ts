import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Lazy, type Part, stopAll } from "./part.ts";

function noted(done: string[], name: string): Part {
  return {
    start: async () => void done.push(`start ${name}`),
    stop: async () => void done.push(`stop ${name}`),
    abort: () => void done.push(`abort ${name}`),
  };
}

suite("a lazy part", () => {
  test("is opened once, by whoever asks first", async () => {
    let opens = 0;
    const lazy = new Lazy(async () => {
      opens++;
      return noted([], "a");
    });
    assert.equal(await lazy.open(), await lazy.open());
    assert.equal(opens, 1);
  });

  test("nobody has asked for is neither opened to be stopped nor to be aborted", async () => {
    const lazy = new Lazy<Part>(async () => assert.fail("it was opened"));
    lazy.abort();
    await lazy.stop();
    assert.equal(await lazy.opened(), null);
  });

  test("that is aborted while it opens is aborted when it is there", async () => {
    const done: string[] = [];
    const made = Promise.withResolvers<Part>();
    const lazy = new Lazy(() => made.promise);
    const opening = lazy.open();
    lazy.abort();
    made.resolve(noted(done, "a"));
    await opening;
    assert.deepEqual(done.slice(0, 1), ["abort a"]);
  });

  test("that could not be opened is tried again", async () => {
    let isBusy = true;
    const lazy = new Lazy(async () => {
      if (isBusy) throw new Error("busy");
      return noted([], "a");
    });
    await assert.rejects(lazy.open(), /busy/);
    await lazy.stop();
    isBusy = false;
    assert.notEqual(await lazy.open(), null);
  });
});

test("parts are stopped group by group, all of them, and the first problem is told", async () => {
  const done: string[] = [];
  const broken: Part = { stop: async () => Promise.reject(new Error("broken")) };
  const groups = [[noted(done, "a"), broken], [{}], [noted(done, "b")]];
  await assert.rejects(stopAll(groups), /broken/);
  assert.deepEqual(done, ["stop a", "stop b"]);
});
