import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { errorCatalog } from "./error-catalog.ts";

const codes = Object.keys(errorCatalog).sort();
const root = new URL("../../", import.meta.url);

test("docs/errors.md lists every code and no other", () => {
  const page = readFileSync(new URL("docs/errors.md", root), "utf8");
  const entries = page.split("\n").filter((line) => /^(\|\s*|#+\s*)`SWARM_/.test(line));
  const listed = entries.map((line) => /`(SWARM_[A-Z_]+)`/.exec(line)?.[1] ?? line);
  assert.deepEqual(listed.sort(), codes);
  const mentioned = new Set([...page.matchAll(/`(SWARM_[A-Z_]+)`/g)].map((match) => match[1]));
  assert.deepEqual([...mentioned].sort(), codes);
});

test("every code is raised somewhere", () => {
  const sources = globSync("src/**/*.ts", { cwd: root })
    .filter((path) => !/\.(test|cases)\.ts$/.test(path) && !path.endsWith("error-catalog.ts"))
    .map((path) => readFileSync(new URL(path.replaceAll("\\", "/"), root), "utf8"));
  assert.ok(sources.length > 20, "the sources were found");
  assert.deepEqual(
    codes.filter((code) => !sources.some((source) => source.includes(`"${code}"`))),
    [],
  );
});

for (const [code, row] of Object.entries(errorCatalog)) {
  test(`${code} is a row a reader can act on`, () => {
    assert.match(code, /^SWARM(_[A-Z]+)+$/);
    assert.match(row.meaning, /^[A-Z].*\.$/);
    assert.match(row.remedy, /^[A-Z].*\.$/);
    assert.ok(row.status >= 400 && row.status < 600, `status ${row.status}`);
    // Sysexits: usage, bad data, our own fault, try again.
    assert.ok([64, 65, 70, 75].includes(row.exitCode), `exit code ${row.exitCode}`);
    assert.equal(row.status < 500, row.exitCode < 70, "the caller's fault on both surfaces, or on neither");
  });
}
