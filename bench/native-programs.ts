import { spawnSync } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** Compiles a program of bench/native, or this text; static and against musl where that is there. */
export function compile(name: string, program: string, text?: string): string {
  const source = text === undefined ? [join(root, "bench/native", name)] : ["-x", "c", "-"];
  const args = ["-O2", "-D_GNU_SOURCE", "-o", program, ...source];
  const compilers = [
    ["musl-gcc", ["-static"]],
    ["cc", ["-static"]],
    ["cc", []],
  ] as const;
  const made = compilers.find(([compiler, flags]) => {
    const stdio = ["pipe", "ignore", "ignore"] as const;
    return spawnSync(compiler, [...flags, ...args], { input: text ?? "", stdio: [...stdio] }).status === 0;
  });
  if (made !== undefined) return program;
  throw new Error("this suite needs a C compiler");
}

/** Lines of numbers, one column per name. */
export function columns(names: readonly string[], printed: string): Map<string, number[]> {
  const lines = printed
    .trim()
    .split("\n")
    .map((line) => line.split(" ").map(Number));
  return new Map(names.map((name, column) => [name, lines.map((line) => line[column] ?? Number.NaN)]));
}
