import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Face, openFonts } from "./fonts.ts";
import { hostile, languages } from "./harness.cases.ts";
import { type Letter, lettersOf } from "./letters.ts";
import { linesOf } from "./lines.ts";
import { openDocument } from "./pdf-library.ts";
import { runsOf } from "./runs.ts";

const document = openDocument({
  size: "A4",
  margin: 0,
  autoFirstPage: false,
  fontLayoutCache: false,
  pdfVersion: "1.7",
  lang: "en",
  displayTitle: false,
  info: {},
});
const fonts = openFonts(document);
const style = { size: 8, width: 120 };

/** What is printed for a text, and of that what stands in another colour. */
function printed(text: string): { text: string; codes: string } {
  const letters = [...lettersOf(text, fonts)];
  const join = (chosen: readonly Letter[]) => chosen.map((letter) => letter.text).join("");
  return { text: join(letters), codes: join(letters.filter(({ isCode }) => isCode)) };
}

test("what steers, hides or turns the reading order around is printed as its code, in another colour", () => {
  assert.deepEqual(printed(hostile.bidi), {
    text: "safe\\u{202e}gpj.exe\\u{202c} name",
    codes: "\\u{202e}\\u{202c}",
  });
  assert.equal(printed(hostile.controls).codes, "\\u{7}\\u{1b}\\u{1b}\\u{85}");
  assert.equal(printed(hostile.invisible).text, "a\\u{200b}b\\u{2060}c\\u{feff}d\\u{ad}e");
  assert.equal(printed("one\ntwo\tthree").text, "one↵two→three");
  assert.equal(printed("half \ud800 pair").text, "half \\u{d800} pair");
});

test("marks that would pile up over other lines are counted, and those of real languages stay on their letters", () => {
  assert.equal(printed(hostile.marks).text, "Z(160 marks)algo");
  assert.equal(printed("Tie\u0302\u0301ng Vie\u0323\u0302t").text, "Tiếng Việt".normalize("NFC"));
  assert.equal(printed("\u0301 alone").text, "\\u{301} alone");
});

test("every language is printed in letters, and what no font has as its code: nothing is an empty box", () => {
  for (const [name, text] of Object.entries(languages)) {
    const { codes } = printed(text);
    if (name === "emoji") assert.equal(codes, "\\u{1f680}\\u{1f469}\\u{200d}\\u{1f4bb}");
    else assert.equal(codes, "", name);
  }
  for (const letter of [...Object.values(languages).join("")]) {
    const [first] = [...lettersOf(letter, fonts)];
    if (first?.isCode === false) assert.ok(first.face.has(first.text.codePointAt(0) ?? 0), letter);
  }
});

test("a text from right to left stands so on paper, and numbers and addresses in it from left to right", () => {
  const order = (text: string): string => {
    const seen = new Map<string, string>();
    for (const letter of new Set(text)) seen.set(fonts.regular.glyph(letter).hex, letter);
    const runs = runsOf([...lettersOf(text, fonts)]);
    return runs
      .map(({ glyphs }) => (glyphs.match(/.{4}/g) ?? []).map((hex) => seen.get(hex)).join(""))
      .join("");
  };
  assert.equal(order("ab שלום 12 cd"), "ab 12 םולש cd");
  assert.equal(order("(אב)"), "(בא)");
  assert.equal(order("plain text"), "plain text");
});

test("letters that join are laid out together, from right to left", () => {
  const [run, ...others] = runsOf([...lettersOf("مرحبا", fonts)]);
  assert.equal(others.length, 0);
  const joined = run?.placed?.map(({ hex }) => hex) ?? [];
  const apart = [..."مرحبا"].map((letter) => fonts.regular.glyph(letter).hex);
  assert.equal(joined.length, 5);
  assert.notDeepEqual(joined.toReversed(), apart);
  const xs = run?.placed?.map(({ x }) => x) ?? [];
  assert.deepEqual(
    xs,
    xs.toSorted((a, b) => a - b),
  );
});

test("a word longer than a line is broken, and a text longer than it may be ends with how much is missing", () => {
  const lines = linesOf(hostile.long, fonts, { ...style, maxLines: 5 });
  assert.equal(lines.length, 6);
  const huge = linesOf("x".repeat(1_000_000), fonts, { ...style, maxLines: 3 });
  const letters = huge.slice(0, 3).reduce((sum, [run]) => sum + (run?.glyphs.length ?? 0) / 4, 0);
  assert.deepEqual(note(huge.at(-1)), `… (${(1_000_000 - letters).toLocaleString("en-US")} more characters)`);
  const unbounded = linesOf("x".repeat(1_000_000), fonts, style);
  assert.equal(note(unbounded.at(-1)), "… (991,808 more characters)");
});

test("a line ends between words; within one only where the line has no room for it", () => {
  const shown = (text: string) =>
    linesOf(text, fonts, style).map((line) => {
      const seen = new Map([...new Set(text)].map((letter) => [fonts.regular.glyph(letter).hex, letter]));
      return line
        .map(({ glyphs }) => (glyphs.match(/.{4}/g) ?? []).map((hex) => seen.get(hex)).join(""))
        .join("");
    });
  const text = "prepare is skipped: pr_0mwj9xn2w53 has made the same, due 13:03:15.25 or 0.798 over 0.2";
  for (const line of shown(text).slice(0, -1)) assert.match(line, / $/);
  const path = shown("/srv/a-very-long-folder/transactions-2026-04.csv");
  assert.deepEqual([path.length, path[0]?.endsWith("-") || path[0]?.endsWith("/")], [2, true]);
});

test("no line is wider than its column, whatever the text", () => {
  const { width, size } = style;
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const line of linesOf(text, fonts, style)) {
        const wide = (line.reduce((sum, run) => sum + run.width, 0) * size) / 1_000;
        // A space may stand over the edge.
        assert.ok(wide <= width + size, `${wide} in ${width}`);
      }
    }),
    { seed: 7, numRuns: 200 },
  );
});

function note(line: readonly { readonly face: Face; readonly glyphs: string }[] | undefined): string {
  const known = new Map(
    [..."… (0123456789,) more characters"].map((each) => [fonts.regular.glyph(each).hex, each]),
  );
  return (line ?? [])
    .map(({ glyphs }) => (glyphs.match(/.{4}/g) ?? []).map((hex) => known.get(hex)).join(""))
    .join("");
}
