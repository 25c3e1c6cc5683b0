import type { Facts } from "../facts.ts";
import type { ShellCommand } from "../../shell/command.ts";
import { interpreterOf } from "../../shell/programs/table.ts";
import { shellPrograms } from "../../shell/programs/shells.ts";
import { isPlain } from "../../shell/marks.ts";
import { operands } from "./flags.ts";
import { joinedTexts } from "./joined-texts.ts";
import { decidesInScript } from "./own-decisions.ts";
import { firstOf, namesOwnSecret } from "./own-folder.ts";
import { absolutePath } from "./place.ts";

/**
 * Whether a script that is run from a file decides what is a person's to decide, or opens what is secret in SWARM_HOME. A
 * call that writes a file is not judged by what is in it; the one that runs it is.
 */
export function runsDecidingScript(): (facts: Facts) => string | null {
  return (facts) =>
    firstOf(facts, (command) => {
      for (const file of scriptsOf(command)) {
        if (!isPlain(file) || command.cwd === null) continue;
        const text = facts.place.readText(absolutePath(file, command.cwd));
        if (text === null) continue;
        const code = joinedTexts(text);
        if (decidesInScript(code) || namesOwnSecret(code)) return `${command.program} runs ${file}`;
      }
      return null;
    });
}

/** The files with commands or code that a command runs. */
function scriptsOf({ program, path, args }: ShellCommand): string[] {
  if (/^(?:npm|pnpm|yarn)$/.test(program)) return ["package.json"];
  if (program === "make" || program === "gmake") return ["Makefile", "makefile", "GNUmakefile"];
  const isInterpreter = interpreterOf(program) !== null || shellPrograms.has(program);
  const [first, second] = operands(args);
  if (program === "source" || program === "." || isInterpreter) {
    const ofPackage = program === "bun" ? "package.json" : undefined;
    return [first, first === "run" ? second : undefined, ofPackage].filter((file) => file !== undefined);
  }
  return path.includes("/") ? [path] : [];
}
