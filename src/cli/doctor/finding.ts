/**
 * What is broken does not work; what is inert has no effect; a warning is what nobody has proven, or may be less than it looks;
 * a note is for those who wonder.
 */
export interface Finding {
  readonly level: "broken" | "inert" | "warning" | "note" | "ok";
  readonly about: string;
  readonly finding: string;
}
