import { visible } from "../../../base/visible.ts";
import type { DescribedFile, DescribedHook, DescribedProject } from "../describe.ts";
import { type Style, style } from "../../../cli/style.ts";

/** Of a file nobody has seen, as many lines are shown before the question; --show has them all. */
const maxNewLines = 60;

const colours = { trusted: "green", untrusted: "yellow", changed: "yellow", ignored: "dim" } as const;

/** Everything a decision is about. Each line of it begins with what we say, and nothing in it can look like a line of ours. */
export function trustLines(project: DescribedProject, isWhole: boolean): string[] {
  const { file, state, hooks, removed, notes, decided_at, decided_by } = project;
  const decided = decided_at === null ? "" : `, last decided ${decided_at} by ${decided_by}`;
  return [
    line("bold", `${visible(file)}: ${state}${visible(decided)}`),
    ...hooks.flatMap((hook) => ["\n", ...hookLines(hook, isWhole)]),
    "\n",
    ...removed.map(({ name, is_guard }) => {
      const effect = is_guard ? ", a guard: every tool is denied until a person accepts that" : "";
      return line("yellow", `gone since it was approved: ${visible(name)}${effect}`);
    }),
    ...notes.map((note) => line("yellow", `note: ${visible(note)}`)),
  ];
}

function hookLines(hook: DescribedHook, isWhole: boolean): string[] {
  const { name, event, is_guard, state, definition, changes, files, notes } = hook;
  const isChanged = changes.length > 0;
  return [
    line(
      colours[state],
      `${atMargin(visible(name))}: ${state}, ${is_guard ? "a guard" : "no guard"} for ${event}`,
    ),
    ...(isChanged ? diffLines(changes, "  ") : definition.map((text) => line(null, `  ${visible(text)}`))),
    ...files.flatMap((file) => fileLines(file, isWhole)),
    ...notes.map((note) => line("yellow", `  note: ${visible(note)}`)),
  ];
}

/** A name that begins with blanks would stand among the indented lines of the hook before it. */
function atMargin(name: string): string {
  return name.replace(/^[ \t]+/, (blanks) => blanks.replaceAll(" ", "\\u{20}").replaceAll("\t", "\\u{9}"));
}

function fileLines(
  { path, bytes, sha256, is_executable, leads_to, problem, changes }: DescribedFile,
  isWhole: boolean,
) {
  const known = [
    bytes === null ? [] : `${bytes} bytes`,
    sha256 === null ? [] : `sha256 ${sha256.slice(0, 16)}`,
    is_executable ? "executable" : [],
    problem === null ? [] : visible(problem),
    leads_to === null ? [] : `LEAVES THE PROJECT, to ${visible(leads_to)}`,
  ].flat();
  const format = problem !== null || leads_to !== null ? "red" : "cyan";
  const shown = isWhole ? changes : changes.slice(0, maxNewLines);
  const more = changes.length - shown.length;
  return [
    line(format, `  file ${visible(path)}: ${known.join(", ")}`),
    ...diffLines(shown, "    "),
    ...(more > 0 ? [line("yellow", `    (${more} more lines: swarm trust --show has them)`)] : []),
  ];
}

function diffLines(changes: readonly string[], indent: string): string[] {
  return changes.map((change) => {
    const format = change.startsWith("+") ? "green" : change.startsWith("-") ? "red" : null;
    return line(format, `${indent}${visible(change)}`);
  });
}

function line(format: Style | null, text: string): string {
  return `${format === null ? text : style(format, text)}\n`;
}
