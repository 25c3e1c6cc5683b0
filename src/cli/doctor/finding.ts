/** What is broken does not work; what is inert has no effect; a note is for those who wonder. */
export interface Finding {
  readonly level: "broken" | "inert" | "note" | "ok";
  readonly about: string;
  readonly finding: string;
}
