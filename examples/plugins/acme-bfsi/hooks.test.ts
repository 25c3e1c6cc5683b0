import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createHooks } from "swarm-hooks";
import { hooks as register } from "./hooks.mjs";
import { maskCards } from "./mask-cards.mjs";

const mask = "XXXX-XXXX-XXXX-XXXX";
const card = "4111111111111111";

/** What a tool's output becomes. */
async function after(tool_output: unknown, options: Record<string, unknown> = {}): Promise<unknown> {
  const engine = createHooks();
  register(engine, options);
  const { data } = await engine.emit("tool.after", { tool_name: "Read", tool_output });
  return data.tool_output;
}

test("masks the content and keeps the other fields of the result", async () => {
  const output = { content: `card ${card}, ok`, lines: 1, meta: { path: "/a" }, tags: ["x"] };
  assert.deepEqual(await after(output), { ...output, content: `card ${mask}, ok` });
});

test("masks texts at any depth, and a result that is a text", async () => {
  assert.deepEqual(await after({ content: [{ type: "text", text: card }, null, 7] }), {
    content: [{ type: "text", text: mask }, null, 7],
  });
  assert.equal(await after(`no. ${card}`), `no. ${mask}`);
});

test("leaves a result without card numbers the very value it was", async () => {
  const output = { content: "call 555 0100", at: 1_700_000_000_000, none: null };
  assert.equal(await after(output), output);
});

suite("masks", () => {
  const masked = [
    ...[13, 14, 15, 16, 17, 18, 19].map((length) => "4".repeat(length)),
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "3782 822463 10005",
    "6304-9506 0000-0000 000",
    "٤١١١١١١١١١١١١١١١",
  ];
  for (const number of masked) {
    test(number, () => {
      for (const [before, behind] of [
        ["", ""],
        ["a ", " b"],
        ["(", ")"],
        ["x:", "\n"],
        ["€", "."],
      ])
        assert.equal(maskCards(`${before}${number}${behind}`), `${before}${mask}${behind}`);
    });
  }
});

suite("does not mask", () => {
  const left = [
    "4".repeat(12),
    "4".repeat(20),
    `x${card}`,
    `${card}_`,
    "4111  1111 1111 1111",
    "4111.1111.1111.1111",
  ];
  for (const text of left) test(text, () => assert.equal(maskCards(text), text));
});

test("masks every number there is, one beside the other", () => {
  assert.equal(maskCards(`${card},${card} and ${card}`), `${mask},${mask} and ${mask}`);
  assert.equal(maskCards(`12345678 ${card}`), `12345678 ${mask}`);
});

/** The pattern of the ancestor of this plugin. `\d` and `\b` there know the digits and letters of every script. */
const ancestor = /(?<![\p{L}\p{N}_])\p{Nd}{14,16}(?![\p{L}\p{N}_])/u;

test("whatever the pattern it comes from masks is masked here too", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const pieces = [" ", "-", "  ", ".", "a", "_", "é", "\n", "٣", ""];
  for (let round = 0; round < 3_000; round++) {
    let text = "";
    for (let piece = 0; piece < 6; piece++)
      text += "1234567890123456789012".slice(0, random(22)) + pieces[random(pieces.length)];
    assert.doesNotMatch(maskCards(text), ancestor, JSON.stringify(text));
  }
});

suite("luhn: true", () => {
  test("masks only what has a card's check digit", async () => {
    const output = { content: `${card} 4111111111111112 1700000000000` };
    assert.deepEqual(await after(output, { luhn: true }), {
      content: `${mask} 4111111111111112 1700000000000`,
    });
    for (const number of [
      "5555 5555 5555 4444",
      "378282246310005",
      "6011-0009-9013-9424",
      "٤١١١١١١١١١١١١١١١",
    ])
      assert.equal(maskCards(number, { luhn: true }), mask);
  });

  test("finds a card's number beside other digits", () => {
    assert.equal(maskCards(`12 ${card}`, { luhn: true }), `12 ${mask}`);
    assert.equal(maskCards(`12 ${card}`), mask);
    assert.equal(maskCards(`${card} 12`, { luhn: true }), `${mask} 12`);
  });

  test("refuses an option that is misspelt or no switch", () => {
    const engine = createHooks();
    assert.throws(() => register(engine, { luhn: "yes" }), /luhn is yes, expected true or false/);
    assert.throws(() => register(engine, { lunh: true } as never), /unknown option lunh, expected luhn/);
  });
});

test("takes time in proportion to the text", () => {
  const text = "1 ".repeat(500_000);
  assert.equal(maskCards(text).includes("1 1 1 1 1 1 1 1 1 1 1 1 1"), false);
  assert.equal(maskCards("4-".repeat(500_000), { luhn: true }).length > 0, true);
});
