import { visible } from "./visible.ts";

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Whatever is put into it is escaped, unless it is HTML itself; what cannot be seen is written as its code. */
export function html(texts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const parts = values.map((value, index) => escaped(value) + (texts[index + 1] ?? ""));
  return new Html((texts[0] ?? "") + parts.join(""));
}

export function join(parts: readonly Html[]): Html {
  return new Html(parts.map(({ text }) => text).join("\n"));
}

function escaped(value: string | Html): string {
  if (value instanceof Html) return value.text;
  const lines = value.split("\n").map(visible);
  return lines.join("\n").replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
