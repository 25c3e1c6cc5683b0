import { writeSync } from "node:fs";
import { frame } from "./frames.ts";

const output = 4;

/** All of it, at once: a function that is called next may not return. */
export function say(bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(output, bytes, written);
}

/** That no worker like this one can do what it is asked to. */
export function sayFailed(problem: string): void {
  say(frame({ problem }));
}
