/**
 * Where the command that begins at `start` ends: at a line break, `;`, `|` or `&` outside quotes. A quotation mark that
 * nothing closes ends it too. A loop instead of a pattern: an argument may be megabytes long, and a pattern that reads it
 * needs a stack of that size.
 */
export function endOfCommand(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    switch (text[at]) {
      case "\\":
        at++;
        break;
      case '"':
      case "'": {
        const closing = closingQuote(text, at);
        if (closing === -1) return at;
        at = closing;
        break;
      }
      case "\n":
      case ";":
      case "|":
      case "&":
        return at;
    }
  }
  return text.length;
}

function closingQuote(text: string, open: number): number {
  const mark = text[open];
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === mark) return at;
    if (text[at] === "\\" && mark === '"') at++;
  }
  return -1;
}
