import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SwarmError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { isWithinLimits } from "./data-limits.ts";
import { validatePayload } from "./validate.ts";

type Open = Record<string, unknown>;

/** Closes a circle in a payload; says where it closes and what it refers back to. */
const circles: Readonly<Record<string, (data: Open) => { path: string; target: string }>> = {
  "in a field nobody declared": (data) => {
    const other: Open = {};
    other.self = other;
    data.other = other;
    return { path: "data.other.self", target: "data.other" };
  },
  "through the payload itself": (data) => {
    data.whole = data;
    return { path: "data.whole", target: "data" };
  },
  "from a declared object": (data) => {
    const input = data.tool_input as Open;
    input.self = input;
    return { path: "data.tool_input.self", target: "data.tool_input" };
  },
  "from a declared object to the payload": (data) => {
    (data.tool_input as Open).event = data;
    return { path: "data.tool_input.event", target: "data" };
  },
  "in a list": (data) => {
    const messages: unknown[] = [1, 2];
    messages.push(messages);
    data.messages = messages;
    return { path: "data.messages.2", target: "data.messages" };
  },
  "in an object in a list": (data) => {
    const message: Open = { role: "user" };
    message.parent = message;
    data.messages = [{}, message];
    return { path: "data.messages.1.parent", target: "data.messages.1" };
  },
  "by way of three objects": (data) => {
    const third: Open = {};
    const first = { second: { third } };
    third.first = first;
    (data.tool_input as Open).first = first;
    return { path: "data.tool_input.first.second.third.first", target: "data.tool_input.first" };
  },
  "behind parts that are in order": (data) => {
    const last: Open = { a: [1, { b: "c" }], d: null };
    last.e = { f: [last] };
    data.context = { fine: [1, 2, 3], also: { fine: true }, last };
    return { path: "data.context.last.e.f.0", target: "data.context.last" };
  },
  "far down": (data) => {
    const bottom: Open = {};
    bottom.self = bottom;
    let value: unknown = bottom;
    for (let level = 0; level < 20; level++) value = [value];
    data.messages = value;
    const path = `data.messages${".0".repeat(20)}`;
    return { path: `${path}.self`, target: path };
  },
};

for (const [where, close] of Object.entries(circles)) {
  test(`a circle ${where} is refused, and both of its ends are named`, () => {
    const data: Open = { tool_name: "Bash", tool_input: {} };
    const ends = close(data);
    const error = refusalOf(data);
    assert.equal(error.code, "SWARM_PAYLOAD_CIRCULAR");
    assert.deepEqual(error.params, { event: "tool.before", ...ends });
  });
}

test("a circle longer than the deepest nesting is refused as too deep", () => {
  const first: Open = {};
  let last = first;
  for (let length = 1; length < 300; length++) {
    const next: Open = {};
    last.next = next;
    last = next;
  }
  last.next = first;
  assert.equal(refusalOf({ tool_name: "Bash", tool_input: first }).code, "SWARM_PAYLOAD_TOO_DEEP");
});

test("a circle made anywhere in any data is refused", () => {
  const tree = fc.letrec<{ node: object }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.dictionary(fc.string({ maxLength: 3 }), fc.oneof(fc.jsonValue(), tie("node")), { maxKeys: 3 }),
      fc.array(fc.oneof(fc.jsonValue(), tie("node")), { maxLength: 3 }),
    ),
  })).node;
  fc.assert(
    fc.property(tree, fc.nat(), fc.nat(), (root, from, to) => {
      const paths = containersOf(root);
      const path = paths[from % paths.length] ?? [];
      const last = path.at(-1) ?? root;
      const ancestors = [root, ...path];
      const target = ancestors[to % ancestors.length];
      if (Array.isArray(last)) last.push(target);
      else Object.assign(last, { back: target });
      assert.equal(refusalOf({ tool_name: "x", tool_input: { root } }).code, "SWARM_PAYLOAD_CIRCULAR");
    }),
    { numRuns: 500 },
  );
});

test("parts that appear more than once without a circle are accepted", () => {
  const shared = { path: "src", lines: [1, 2, 3] };
  const pair = [shared, shared];
  const data = {
    tool_name: "x",
    tool_input: { shared, pair, again: { pair } },
    messages: pair,
    extra: shared,
  };
  assert.equal(validatePayload("tool.before", data), data);
});

test("any JSON value is accepted and left as it is", () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: "large" }), (value) => {
      const before = JSON.stringify(value);
      assert.equal(isWithinLimits(value), true);
      const data = { tool_name: "x", tool_input: {}, tool_output: value };
      assert.equal(validatePayload("tool.after", data), data);
      assert.equal(JSON.stringify(value), before);
    }),
    { numRuns: 500 },
  );
});

for (const [levels, isAccepted] of [
  [1, true],
  [2, true],
  [199, true],
  [200, true],
  [201, false],
  [202, false],
  [100_000, false],
] as const) {
  test(`a payload nested ${levels} levels deep is ${isAccepted ? "accepted" : "refused"}`, () => {
    for (const wrap of [(part: unknown) => [part], (part: unknown) => ({ part })]) {
      // The payload is the first level.
      const data: Open = { tool_name: "x", tool_input: {} };
      if (levels > 1) data.other = nested(levels - 1, wrap);
      if (isAccepted) assert.equal(validatePayload("tool.before", data), data);
      else assert.equal(refusalOf(data).code, "SWARM_PAYLOAD_TOO_DEEP");
    }
  });
}

test("the words for a payload that is too deep are themselves short", () => {
  const data = { tool_name: "x", tool_input: {}, other: nested(5_000, (part) => ({ part })) };
  const { message } = refusalOf(data);
  assert.match(message, /^tool\.before: data\.other\.part\..*… is nested more than 200 levels deep/);
  assert.ok(message.length < 200, `${message.length} characters`);
});

const limit = limits.payloadChars;
const tooLarge: Readonly<Record<string, () => Open>> = {
  "in one declared text": () => ({ cwd: "x".repeat(limit + 1) }),
  "in one undeclared text": () => ({ other: "x".repeat(limit + 1) }),
  "in one nested text": () => ({ tool_input: { content: ["x".repeat(limit + 1)] } }),
  "in two texts, each of which would fit": () => ({
    cwd: "x".repeat(limit / 2 + 1),
    session_id: "x".repeat(limit / 2 + 1),
  }),
  "in a thousand texts": () => ({ messages: Array.from({ length: 1_000 }, () => "x".repeat(limit / 900)) }),
  "in texts on several levels": () => ({
    cwd: "x".repeat(limit / 3),
    tool_input: { a: "x".repeat(limit / 3), b: { c: "x".repeat(limit / 3 + 1) } },
  }),
  "in a list of numbers": () => ({ messages: new Array(limit).fill(1) }),
  "in a list of lists": () => ({ messages: new Array(limit).fill([]) }),
  "in one nested name": () => ({ tool_input: { ["k".repeat(limit + 1)]: 1 } }),
  "in one name at the top": () => ({ ["k".repeat(limit + 1)]: 1 }),
  "in names at the top": () =>
    Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}`.padStart(limit / 900, "k"), 1])),
  "in a text of ten million characters": () => ({ tool_input: { content: "x".repeat(10_000_000) } }),
};

for (const [where, make] of Object.entries(tooLarge)) {
  test(`a payload that is too large ${where} is refused, with the limit`, () => {
    const error = refusalOf({ tool_name: "x", tool_input: {}, ...make() });
    assert.equal(error.code, "SWARM_PAYLOAD_TOO_LARGE");
    assert.equal(error.status, 413);
    assert.match(error.message, new RegExp(`^tool\\.before: the payload passes ${limit} characters at data`));
  });
}

test("a payload just below the limit is accepted, wherever its text stands", () => {
  const text = "x".repeat(limit - 1_000);
  for (const part of [{ cwd: text }, { tool_input: { content: text } }, { messages: [{ content: text }] }]) {
    const data = { tool_name: "x", tool_input: {}, ...part };
    assert.equal(validatePayload("tool.before", data), data);
  }
});

test("what is too large is named as closely as one part can be blamed", () => {
  const content = "x".repeat(limit + 1);
  const whole = refusalOf({ tool_name: "x", tool_input: { fine: 1, edits: [{}, { content }] } });
  assert.match(whole.message, / at data\.tool_input\.edits\.1\.content,/);
  const halves = { a: "x".repeat(limit / 2 + 1), b: "x".repeat(limit / 2 + 1) };
  assert.match(refusalOf({ tool_name: "x", tool_input: halves }).message, / at data\.tool_input(\.b)?,/);
});

test("a long text costs no more than a short one: it is measured, not read", () => {
  const payload = (content: string) => ({ tool_name: "x", tool_input: { content } });
  const short = payload("x".repeat(10));
  const long = payload(`${"x".repeat(1_000_000)}é`);
  // Were the text read, a million characters would take thousands of times as long as ten.
  const ratio =
    fastestOf(() => validatePayload("tool.before", long)) /
    fastestOf(() => validatePayload("tool.before", short));
  assert.ok(ratio < 100, `${ratio.toFixed(1)} times as long`);
});

/** The limit in characters bounds the steps of one pass; looking for the reason may take as much again. */
const mostSteps = 3 * limit;

test("data whose JSON would be astronomically large is refused in a bounded number of steps", () => {
  const steps = new StepCounter(mostSteps);
  let node: object = { leaf: 1 };
  for (let level = 0; level < 190; level++) node = steps.watch({ a: node, b: node });
  assert.equal(refusalOf({ tool_name: "x", tool_input: { node } }).code, "SWARM_PAYLOAD_TOO_LARGE");
});

test("a fault below many wide levels is found in a bounded number of steps", () => {
  const steps = new StepCounter(mostSteps);
  const wide = new Array(20_000).fill(1);
  let node: object = { run: () => 0 };
  for (let level = 0; level < 190; level++) node = steps.watch({ wide, node }, { wide: wide.length });
  const error = refusalOf({ tool_name: "x", tool_input: { node } });
  assert.equal(error.code, "SWARM_PAYLOAD_NOT_JSON");
});

test("a circle beside much data is found in a bounded number of steps", () => {
  const steps = new StepCounter(mostSteps);
  const wide = new Array(20_000).fill(1);
  const node: Open = {};
  Object.defineProperties(
    node,
    Object.getOwnPropertyDescriptors(steps.watch({ wide, node }, { wide: wide.length })),
  );
  assert.equal(refusalOf({ tool_name: "x", tool_input: { node } }).code, "SWARM_PAYLOAD_CIRCULAR");
});

/** Counts how often properties are read, and cuts a runaway short. */
class StepCounter {
  readonly #most: number;
  #steps = 0;

  constructor(most: number) {
    this.#most = most;
  }

  watch(node: Open, weights: Readonly<Record<string, number>> = {}): object {
    const watched = {};
    for (const [name, value] of Object.entries(node)) {
      const weight = weights[name] ?? 1;
      Object.defineProperty(watched, name, {
        enumerable: true,
        get: () => {
          this.#steps += weight;
          if (this.#steps > this.#most) throw new RangeError(`more than ${this.#most} steps`);
          return value;
        },
      });
    }
    return watched;
  }
}

function nested(levels: number, wrap: (part: unknown) => object): object {
  let value = wrap(1);
  for (let level = 1; level < levels; level++) value = wrap(value);
  return value;
}

/** For each container below the root: the containers that lead to it, itself included. */
function containersOf(root: object): object[][] {
  return Object.values(root)
    .filter((part): part is object => typeof part === "object" && part !== null)
    .flatMap((part) => [[part], ...containersOf(part).map((path) => [part, ...path])]);
}

function fastestOf(run: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 50; round++) {
    const startedAt = process.hrtime.bigint();
    for (let call = 0; call < 20; call++) run();
    fastest = Math.min(fastest, Number(process.hrtime.bigint() - startedAt));
  }
  return fastest;
}

function refusalOf(data: unknown): SwarmError {
  try {
    validatePayload("tool.before", data);
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return error;
  }
  assert.fail("the payload was accepted");
}

test("binary data is refused by what it is, not by its ten million indexes", () => {
  assert.throws(
    () => validatePayload("tool.after", { tool_name: "x", tool_output: { bytes: Buffer.alloc(10_000_000) } }),
    {
      code: "SWARM_PAYLOAD_NOT_JSON",
      message: "tool.after: data.tool_output.bytes is 10000000 bytes of binary data, expected JSON data",
    },
  );
});
