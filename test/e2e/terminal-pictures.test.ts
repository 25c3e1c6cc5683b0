import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { pathOf, pictures, take } from "../../scripts/terminal-pictures.ts";
import { pictureOf } from "../../scripts/terminal-svg.ts";
import { noTerminal as skip } from "./harness.ts";

const root = join(import.meta.dirname, "../..");

suite("the docs' picture of a terminal", { skip }, () => {
  for (const picture of pictures.filter(({ name }) => name === "scan" || name === "check")) {
    test(`${picture.name} shows what is printed now (else: npm run pictures)`, async () => {
      assert.equal(await take(picture), readFileSync(join(root, pathOf(picture)), "utf8"));
    });
  }

  test("init shows the steps that are printed now (else: npm run pictures)", async () => {
    const init = pictures.find(({ name }) => name === "init");
    assert.ok(init);
    // What comes after them takes the real Claude Code, as the picture of `swarm verify` does.
    const steps = (svg: string) => /<text[\s\S]*daemon.*/.exec(svg)?.[0];
    const drawn = steps(readFileSync(join(root, pathOf(init)), "utf8"));
    assert.ok(drawn);
    assert.equal(steps(await take(init)), drawn);
  });
});

suite("a picture of a terminal", () => {
  const rows = (output: string, columns = 20) =>
    [...pictureOf(output, "", columns).matchAll(/<text[^>]*>(.*)<\/text>/g)].map(([, row = ""]) => row);

  test("has colours, bold and dimmed text in their places", () => {
    const [row = ""] = rows("\u001b[31mdeny\u001b[39m  \u001b[1mall\u001b[22m \u001b[2mdim\u001b[22m");
    assert.match(row, /x="16\.0"[^>]* fill="#ff7b72">deny</);
    assert.match(row, /x="66\.4"[^>]* font-weight="bold">all</);
    assert.match(row, /fill="#8b949e">dim</);
  });

  test("breaks a line where the terminal does, and keeps spaces and what is special in XML", () => {
    const texts = rows("ab\u001b[31mcd  ef\u001b[39m<&>\n", 6).map((row) => row.replaceAll(/<[^>]*>/g, ""));
    assert.deepEqual(texts, ["abcd\u00a0\u00a0", "ef&lt;&amp;&gt;"]);
  });

  test("shows what replaced a line, and none of a terminal's other codes", () => {
    const texts = rows("waiting\rdone\u001b[K\n\u001b[?25h\n").map((row) => row.replaceAll(/<[^>]*>/g, ""));
    assert.deepEqual(texts, ["done"]);
  });
});
