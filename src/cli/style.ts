import { styleText } from "node:util";
import { oneLine } from "../base/show.ts";
import type { Verdict } from "../engine/events/decision.ts";

export type Style = Parameters<typeof styleText>[0];

/** A text with the way it is to look, where somebody else prints it. */
export interface Styled {
  readonly text: string;
  readonly format: Style;
}

/** One line, coloured where somebody looks: on a terminal, unless NO_COLOR is set. Colours of the text's own are not. */
export function style(format: Style, text: string): string {
  const line = oneLine(text);
  return process.stdout.isTTY === true ? styleText(format, line, { stream: process.stdout }) : line;
}

const verdictStyles: Readonly<Record<Verdict, Style>> = {
  none: "dim",
  allow: "green",
  ask: "yellow",
  defer: "yellow",
  deny: "red",
};

export function styledVerdict(verdict: Verdict): Styled {
  return { text: verdict, format: verdictStyles[verdict] };
}

export function verdictText(verdict: Verdict): string {
  return style(verdictStyles[verdict], verdict);
}
