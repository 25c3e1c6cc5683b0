import assert from "node:assert/strict";
import { test } from "node:test";
import { numbered, type Statements } from "./statement.ts";

test("a text names its values, and a driver marks them in its own way", () => {
  const text = "update t set a = :a, sha256 = :sha256 where b = :b and c >= :a limit :limit";
  assert.deepEqual(
    numbered(text, () => "?"),
    {
      text: "update t set a = ?, sha256 = ? where b = ? and c >= ? limit ?",
      names: ["a", "sha256", "b", "a", "limit"],
    },
  );
  assert.equal(
    numbered("(:by, :by_name)", (at) => `$${at}`).text,
    "($1, $2)",
    "a name that begins with another is its own",
  );
});

test("a name that is not there, or a value too few, does not compile", () => {
  const texts = { find: "select 1 from t where a = :a and (b = :b_2 or b = :a)", head: "select 1" } as const;
  const use = (sql: Statements<typeof texts>) => {
    sql.find.run({ a: 1, b_2: null });
    sql.head.one();
    // @ts-expect-error: no such statement
    sql.fnid.run({ a: 1, b_2: null });
    // @ts-expect-error: b_2 is missing
    sql.find.run({ a: 1 });
    // @ts-expect-error: there is no c
    sql.find.run({ a: 1, b_2: 2, c: 3 });
    // @ts-expect-error: an object is no value
    sql.find.run({ a: 1, b_2: {} });
    // @ts-expect-error: it is given values
    sql.find.run();
    // @ts-expect-error: it is given none
    sql.head.one({ a: 1 });
  };
  assert.equal(typeof use, "function");
});
