/** A text in quotes, in most languages. */
const literal = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;
/** What joins two texts: `+`, Perl's `.`, SQL's `||`, nothing in Python, and a method of JavaScript. */
const joiner = /^(?:\s{0,20}(?:\+\+?|\.|\|\||<>)?\s{0,20}[rbfuRBFU]?|\.concat\(\s{0,20})$/;
/** Longer code is only joined where two texts stand side by side: what follows is slower. */
const maxFoldedChars = 8_192;

/** Code with the texts in it put together, in each of the ways its quotes may be read. */
export function joinedTexts(code: string): string {
  const plain = code.includes("\\") ? code.replaceAll(/\\(?:x|u00)([0-7][\da-fA-F])/g, fromHex) : code;
  const beside = plain.replaceAll(/(["'`])[ \t]{0,20}(?:\+|\.|\|\||<>|\+\+)?[ \t]{0,20}[rbfu]?\1/g, "");
  if (code.length > maxFoldedChars || !/["'`]/.test(code)) return beside;
  const folded = merged(withConstants(merged(filledIn(plain))));
  return folded === beside ? beside : `${beside}\n${folded}`;
}

function fromHex(_whole: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** `'a' + 'b'` as `'ab'`. Quotes are counted, so that `'.'` is a text and no operator between two. */
function merged(code: string): string {
  let result = "";
  let end = 0;
  for (const found of code.matchAll(literal)) {
    const [whole, quote = "", text = ""] = found;
    const between = code.slice(end, found.index);
    const isJoined = end > 0 && joiner.test(between) && /["'`]$/.test(result);
    result = isJoined ? `${result.slice(0, -1)}${text}${quote}` : `${result}${between}${whole}`;
    end = found.index + whole.length;
  }
  return result + code.slice(end);
}

const listed = /\[((?:\s{0,9}(?:'[^'\n]{0,99}'|"[^"\n]{0,99}")\s{0,9},?){2,20})\]/.source;
const joinedList = new RegExp(`${listed}\\.join\\(\\s*["'\`]([^"'\`]{0,3})["'\`]\\s*\\)`, "g");
const listJoined = new RegExp(`["']([^"']{0,3})["']\\.join\\(\\s*${listed}\\s*\\)`, "g");
const formatted =
  /(["'])([^"'\n]{0,200}?)(%s|\{\})([^"'\n]{0,200})\1\s{0,9}(?:%|\.format)\s{0,9}\(?\s{0,9}(["'])([^"'\n]{0,99})\5/g;

/** `['a', 'b'].join('/')`, `''.join(['a', 'b'])`, `'a%s' % 'b'` and `'a{}'.format('b')`, each as one text. */
function filledIn(code: string): string {
  const asText = (list: string, between: string) =>
    `'${[...list.matchAll(/(["'])([^"'\n]*)\1/g)].map(([, , text]) => text).join(between)}'`;
  return code
    .replaceAll(joinedList, (_, list: string, between: string) => asText(list, between))
    .replaceAll(listJoined, (_, between: string, list: string) => asText(list, between))
    .replaceAll(
      formatted,
      (_, quote, before, _place, after, _other, text) => quote + before + text + after + quote,
    );
}

const constant = /(?<![\w.$])([A-Za-z_]\w{0,40})\s{0,9}=\s{0,9}[rbfu]?(["'`])([^"'`\\\n]{1,200})\2/g;

/** Names that are given one text, as that text where they are used: `f"{x}"`, `${x}`, `'a' + x + 'b'`. */
function withConstants(code: string): string {
  let result = code;
  for (const [, name = "", , text = ""] of [...code.matchAll(constant)].slice(0, 16)) {
    result = result
      .replaceAll(new RegExp(`\\$?\\{${name}\\}`, "g"), () => text)
      .replaceAll(new RegExp(`\\+\\s{0,9}${name}\\b(?!\\s*[=(])`, "g"), () => `+ '${text}'`)
      .replaceAll(new RegExp(`(?<![\\w.])${name}\\s{0,9}(?=\\+)`, "g"), () => `'${text}' `);
  }
  return result;
}
