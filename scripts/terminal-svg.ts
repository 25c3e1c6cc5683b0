/** Foregrounds by their SGR code: those `src/cli/style.ts` uses, and the bright ones beside them. */
const colours: Readonly<Record<number, string>> = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#8b949e",
};
const [background, foreground, dimmed] = ["#0d1117", "#e6edf3", "#8b949e"];
const [cellWidth, lineHeight, margin] = [8.4, 19, 16];

interface Style {
  readonly colour?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
}

/** What a terminal shows after this output, as a picture that needs no font or program of its own. */
export function pictureOf(output: string, title: string, columns: number): string {
  const lines = withoutBlankEnd(output.split("\n").flatMap((line) => rowsOf(shownOf(line), columns)));
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  let style: Style = {};
  const texts = lines.map((line, row) => {
    let column = 0;
    const spans: string[] = [];
    for (const piece of line.split(sgr)) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: as below
      const [, codes] = /^\u001b\[([\d;]*)m$/.exec(piece) ?? [];
      if (codes !== undefined) {
        style = codes.split(";").reduce((before, code) => styleAfter(before, Number(code)), style);
      } else if (piece !== "") {
        spans.push(spanOf(piece, column, style));
        column += [...piece].length;
      }
    }
    return `<text y="${margin + row * lineHeight + 14}">${spans.join("")}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="${foreground}">`,
    ...texts,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's codes begin with one
const sgr = /(\u001b\[[\d;]*m)/;

/** A line as it stands in the end: what follows a carriage return replaces it. Codes that show nothing are left out. */
function shownOf(line: string): string {
  const last = line.replace(/\r+$/, "").split("\r").at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  return last.replaceAll(/\u001b\[\??[\d;]*[A-Za-ln-z]/g, "");
}

/** A terminal goes on in the next row where a line is too long for one. */
function rowsOf(line: string, columns: number): string[] {
  const rows = [""];
  let column = 0;
  for (const piece of line.split(sgr)) {
    const isCode = piece.startsWith("\u001b");
    for (const part of isCode ? [piece] : piece) {
      if (!isCode) column++;
      if (column > columns) {
        rows.push("");
        column = 1;
      }
      rows[rows.length - 1] += part;
    }
  }
  return rows;
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.replaceAll(new RegExp(sgr, "g"), "").trim() !== "");
  return lines.slice(0, last + 1);
}

function styleAfter(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 39) return { ...style, colour: foreground };
  const colour = colours[code];
  return colour === undefined ? style : { ...style, colour };
}

/** Each piece has its place and its width: another font than ours keeps the columns. */
function spanOf(text: string, column: number, { colour, isBold, isDim }: Style): string {
  const fill = isDim === true ? dimmed : colour;
  const attributes = [
    `x="${(margin + column * cellWidth).toFixed(1)}"`,
    `textLength="${([...text].length * cellWidth).toFixed(1)}"`,
    ...(fill === undefined || fill === foreground ? [] : [`fill="${fill}"`]),
    ...(isBold === true ? ['font-weight="bold"'] : []),
  ];
  return `<tspan ${attributes.join(" ")}>${escaped(text).replaceAll(" ", "\u00a0")}</tspan>`; // several spaces would be shown as one
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
