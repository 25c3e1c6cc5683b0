import assert from "node:assert/strict";
import { test } from "node:test";
import { savedName } from "./save-file.ts";

test("a file is saved by the server's name for it, and no other letters get into one", () => {
  assert.equal(savedName('attachment; filename="audit-2026-01-01.pdf"'), "audit-2026-01-01.pdf");
  for (const written of [null, "attachment", 'attachment; filename="../x"', 'attachment; filename=""'])
    assert.equal(savedName(written), "download", String(written));
});
