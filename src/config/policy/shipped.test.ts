import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readDocument } from "../document.ts";
import { type ParsedPolicy, shippedDocument, shippedPolicies, shippedPolicy } from "./shipped.ts";

test("what the build has parsed is what parsing comes to, places and all", () => {
  for (const name of [...shippedPolicies, "self"]) {
    const { file, text } = shippedPolicy(name);
    assert.deepEqual(shippedDocument(name), readDocument(file, text));
  }
});

test("what was parsed of another text, or never, is parsed now", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "swarm-shipped-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const { file, text } = shippedPolicy("starter");
  const parsed = (given: ParsedPolicy) => {
    writeFileSync(join(folder, "starter.json"), JSON.stringify(given));
    return shippedDocument("starter", join(folder, "starter.json"));
  };
  assert.equal(parsed({ text, document: null }), null, "it is taken where the text is the same");
  assert.deepEqual(parsed({ text: `${text}\n`, document: null }), readDocument(file, text));
  assert.deepEqual(shippedDocument("starter", join(folder, "none.json")), readDocument(file, text));
});
