import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const documents = execFileSync("git", ["ls-files", "-z", "--", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter(Boolean);

/** A document without its blocks and pieces of code, in which a bracket is no link. */
function proseOf(document: string): string {
  return readFileSync(join(root, document), "utf8")
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/\]\(/g, "] ("));
}

/** What a page shows of a heading is what its address is made of, as GitHub does it. */
function addressesIn(document: string): Set<string> {
  const addresses = new Set<string>();
  for (const [, heading = ""] of proseOf(document).matchAll(/^#+ (.+)$/gm)) {
    const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const address = shown.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
    let free = address;
    for (let again = 1; addresses.has(free); again++) free = `${address}-${again}`;
    addresses.add(free);
  }
  return addresses;
}

test("every link of a document leads to a file that is there, and to a heading of it", () => {
  const broken: string[] = [];
  let count = 0;
  for (const document of documents) {
    for (const [, address = ""] of proseOf(document).matchAll(/\]\(<?([^)\s>]+)>?\)/g)) {
      if (/^(https?:|mailto:)/.test(address)) continue;
      count++;
      const [path = "", heading] = address.split("#");
      const file = path === "" ? document : relative(root, join(root, dirname(document), path));
      const isThere = existsSync(join(root, file));
      const leads =
        isThere && (heading === undefined || !file.endsWith(".md") || addressesIn(file).has(heading));
      if (!leads) broken.push(`${document}: ${address}`);
    }
  }
  assert.ok(count > 150, `${count} links`);
  assert.deepEqual(broken, []);
});

test("every test that SECURITY.md names is there", () => {
  const named = [...readFileSync(join(root, "SECURITY.md"), "utf8").matchAll(/`((?:src|test)\/[^`]+)`/g)];
  assert.ok(named.length >= 15);
  const missing = named.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path)));
  assert.deepEqual(missing, []);
});
