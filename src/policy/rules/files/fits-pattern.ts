import { isPlain, marks } from "../../shell/marks.ts";

/** Whether a shell's pattern for one name, with marks in it, stands for a name. A `*` finds no hidden one. */
export function fitsPattern(pattern: string, name: string, isDotGlob = false): boolean {
  if (isPlain(pattern)) return pattern === name;
  if (pattern.includes(marks.unknown)) return false;
  if (name.startsWith(".") && !pattern.startsWith(".") && !isDotGlob) return false;
  return fitsGlob(pattern.replaceAll(marks.anyRun, "*").replaceAll(marks.anyOne, "?"), name);
}

/** Whether a glob for one name stands for it; a bracket counts as any character, and case does not count. */
export function fitsGlob(glob: string, name: string): boolean {
  const text = glob.slice(0, 100).replaceAll(/\[[^\]]*\]/g, "?");
  const parts = text.split(/\*+/).map((part) => part.replaceAll(/[^\w?]/g, "\\$&").replaceAll("?", "."));
  // With more stars than names need, what lies between them would be tried in too many ways.
  return new RegExp(`^${parts.slice(0, 8).join(".*")}$`, "i").test(name);
}
