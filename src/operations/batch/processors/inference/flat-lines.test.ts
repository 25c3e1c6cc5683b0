import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { readRecord } from "../../port/records.ts";
import { type FlatFields, FlatLines } from "./flat-lines.ts";

const fields: FlatFields = { numbers: ["a", "b"], idField: "id", labelField: "y", isSingle: true };

/** What is read of a line when lines are to be like `like`; null: it is left to others. */
function readLike(like: string, line: string, given: FlatFields = fields) {
  const flat = new FlatLines(given);
  if (!flat.learn(like)) return null;
  const bytes = Buffer.from(`${line}\n`);
  if (flat.read(bytes, 0) !== bytes.length) return null;
  return { numbers: [...flat.values], idText: flat.idText(bytes) ?? "7", label: flat.label(bytes) };
}

/** The same by `JSON.parse`. */
function parsed(line: string, given: FlatFields = fields) {
  const { record, idText } = readRecord(line, 7, given.idField);
  if (record === null) return null;
  return { numbers: given.numbers.map((name) => record[name] as number), idText, label: record.y };
}

const single = <T extends { numbers: number[] } | null>(read: T) =>
  read && { ...read, numbers: read.numbers.map(Math.fround) };

suite("lines that are alike", () => {
  const like = '{"id":"r1","a":1,"b":2,"y":0}';

  for (const line of [
    '{"id":"r2","a":-0.25,"b":1.5e3,"y":1}',
    '{"id":17,"a":-0,"b":0.30000000000000004,"y":"yes"}',
    '{"id":"","a":123456789012345678901,"b":1e-300,"y":null}',
    '{"id":null,"a":1.2345678901234567e-05,"b":1E+20,"y":true}',
  ])
    test(`are read as JSON.parse reads them: ${line}`, () => {
      const read = readLike(like, line);
      assert.ok(read !== null);
      assert.deepEqual(single(read), single(parsed(line)));
    });

  test("may be written with spaces, and end in a carriage return, as long as all are", () => {
    const spaced = '{"id": "r1", "a": 1, "b": 2}\r';
    assert.deepEqual(readLike(spaced, '{"id": "r2", "a": 3, "b": 4}\r')?.numbers, [3, 4]);
    assert.equal(readLike(spaced, like), null);
  });

  test("follow each other in one chunk, the last without its newline", () => {
    const flat = new FlatLines(fields);
    const bytes = Buffer.from(`${like}\n{"id":"r2","a":3,"b":4,"y":1}`);
    flat.learn(like);
    const second = flat.read(bytes, 0);
    assert.equal(second, like.length + 1);
    assert.equal(flat.read(bytes, second), bytes.length);
    assert.deepEqual([...flat.values], [3, 4]);
  });

  test("have the float they are nearest to, also halfway between two", () => {
    for (let halves = 1; halves < 400; halves += 2) {
      const [a, b] = ["", "00000001"].map((more) => `${(1024 + halves * 2 ** -14).toFixed(14)}${more}`);
      const line = `{"id":"r2","a":${a},"b":-${b},"y":1}`;
      assert.deepEqual(single(readLike(like, line)), single(parsed(line)));
    }
  });

  test("with doubles have all their digits", () => {
    const line = '{"id":"r2","a":0.1000000000000000055511151231257827,"b":9007199254740993,"y":1}';
    assert.deepEqual(readLike(like, line, { ...fields, isSingle: false }), parsed(line));
  });
});

suite("a line is left to JSON.parse", () => {
  const like = '{"id":"r1","a":1,"b":2,"y":0}';
  for (const [what, line] of [
    ["with its fields in another order", '{"a":1,"id":"r1","b":2,"y":0}'],
    ["with a field more", '{"id":"r1","a":1,"b":2,"y":0,"z":1}'],
    ["with a field twice", '{"id":"r1","a":1,"b":2,"y":0,"a":3}'],
    ["without a field", '{"id":"r1","a":1,"b":2}'],
    ["with a text for a number", '{"id":"r1","a":"1","b":2,"y":0}'],
    ["with null for a number", '{"id":"r1","a":null,"b":2,"y":0}'],
    ["with a text that is escaped", '{"id":"r\\n1","a":1,"b":2,"y":0}'],
    ["with letters beyond ASCII", '{"id":"ré","a":1,"b":2,"y":0}'],
    ["with an id that is called otherwise than written", '{"id":1.0,"a":1,"b":2,"y":0}'],
    ["with an id that is minus nothing", '{"id":-0,"a":1,"b":2,"y":0}'],
    ["with something nested", '{"id":"r1","a":1,"b":2,"y":[0]}'],
    ["with a number that is none", '{"id":"r1","a":01,"b":2,"y":0}'],
    ["with a label that is none", '{"id":"r1","a":1,"b":2,"y":01}'],
    ["with a number that does not end", '{"id":"r1","a":1.,"b":2,"y":0}'],
    ["with an exponent that does not end", '{"id":"r1","a":1e,"b":2,"y":0}'],
    ["that does not end", '{"id":"r1","a":1,"b":2,"y":0'],
    ["with something after its end", '{"id":"r1","a":1,"b":2,"y":0}}'],
  ] as const)
    test(what, () => assert.equal(readLike(like, line), null));

  for (const [what, first] of [
    ["a field twice", '{"id":"r1","a":1,"a":2,"b":2,"y":0}'],
    ["something nested", '{"id":"r1","a":1,"b":2,"c":{}}'],
    ["no such number", '{"id":"r1","a":1}'],
    ["a mark too few", '{"id":"r1" "a":1,"b":2}'],
    ["a mark too many", '{"id":"r1",{"a":1,"b":2}'],
    ["nothing", ""],
  ] as const)
    test(`where the first has ${what}`, () => assert.equal(new FlatLines(fields).learn(first), false));

  test("where one field is there for two things", () => {
    assert.equal(new FlatLines({ ...fields, labelField: "a" }).learn(like), false);
  });
});

suite("whatever is read is what JSON.parse reads", () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.integer().map(String),
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
    fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(40), fc.integer({ min: -60, max: 60 }))
      .map(([digits, zeros, exponent]) => `0.${"0".repeat(zeros)}${digits}e${exponent}`),
    // Halfway between two floats of four bytes, and next to it.
    fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => `${value * (1 + 2 ** -24)}`),
    fc.constantFrom("-0", "0", "1e400", "-1E-400", "0.1", "16777217", "16777217.000000001", "1e22", "1e23"),
  );
  const value = fc.oneof(number, fc.json(), fc.constantFrom('""', '"r1"', "true", "false", "null"));
  const space = fc.constantFrom("", " ", "\t", "  ");
  const written = fc.tuple(number, number, value, value, space, space);
  const lineOf = ([a, b, id, y, before, after]: readonly string[]) =>
    `{${before}"id":${after}${id},${before}"a":${after}${a},"b":${b}${after},"y":${y}}${after}`;
  /** Bytes of a line put in, taken out or exchanged. */
  const damaged = fc
    .tuple(
      written.map(lineOf),
      fc.nat(),
      fc.constantFrom(0, 1),
      fc.constantFrom(...'0123456789-+.eE"\\{}[],: \t\r\u007fx\u00e9'),
    )
    .map(([line, at, taken, put]) => {
      const place = at % (line.length + 1);
      return line.slice(0, place) + put + line.slice(place + taken);
    });
  const same = (like: string, line: string, given: FlatFields) => {
    const read = readLike(like, line, given);
    if (read === null || line.includes("\n")) return;
    const [found, expected] = [read, parsed(line, given)];
    assert.ok(expected !== null, `no record: ${line}`);
    assert.deepEqual(given.isSingle ? single(found) : found, given.isSingle ? single(expected) : expected);
  };

  for (const isSingle of [true, false]) {
    const given = { ...fields, isSingle };
    test(`lines that are alike, ${isSingle ? "floats" : "doubles"}`, () => {
      fc.assert(
        fc.property(written, written, ([a, b, id, y, ...spaces], [c, d, ...rest]) => {
          const like = lineOf([a, b, id, y, ...spaces]);
          same(like, like, given);
          same(like, lineOf([c, d, ...rest.slice(0, 2), ...spaces]), given);
        }),
        { numRuns: 2_000 },
      );
    });
    test(`lines that are damaged, ${isSingle ? "floats" : "doubles"}`, () => {
      fc.assert(
        fc.property(written.map(lineOf), damaged, (like, line) => {
          same(like, line, given);
          same(line, line, given);
          same(line, like, given);
        }),
        { numRuns: 4_000 },
      );
    });
  }
});
