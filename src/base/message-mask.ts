/**
 * What takes secrets out of messages. The table of their forms is 40 kB, which an engine embedded in somebody's program
 * does without; whatever reads files, starts programs or records calls `maskMessages`.
 */
let mask: (text: string) => string = (text) => text;

export function maskMessage(text: string): string {
  return mask(text);
}

export function setMessageMask(wanted: (text: string) => string): void {
  mask = wanted;
}
