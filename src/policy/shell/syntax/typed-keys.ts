/** What tools that type into a terminal write for keys: `{enter}`, `{backspace}`. */
const key = /\{(enter|return|newline|space|tab|backspace|[a-z]+(?:[-+ ][a-z]+)?)\}/gi;

/** The lines that a terminal gets when these keys are pressed; null where that depends on what is there already. */
export function typedLines(text: string): string | null {
  let typed = "";
  let end = 0;
  let isKnown = true;
  for (const found of text.matchAll(key)) {
    typed += text.slice(end, found.index);
    end = found.index + found[0].length;
    const name = (found[1] ?? "").toLowerCase();
    if (/^(?:enter|return|newline)$/.test(name)) typed += "\n";
    else if (name === "space") typed += " ";
    else if (name === "backspace") typed = typed.slice(0, -1);
    // Completion, history and the cursor's way are the terminal's.
    else isKnown = false;
  }
  return isKnown ? typed + text.slice(end) : null;
}
