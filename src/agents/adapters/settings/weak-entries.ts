import type { WeakEntry } from "../../port/adapter.ts";
import { type Hook, type HookForm, hooksIn, ourHook, printEntry } from "./hook-form.ts";

/** Keys of a hook that change nothing of what it decides. How long it may take is compared elsewhere. */
const harmlessKeys = new Set(["statusMessage", "name", "description", "timeout", "timeoutSec", "sequential"]);

/** Keys that make an entry stricter than the one we wrote. */
const strictKeys = new Set(["onFailure", "failClosed"]);

/** Keys that are how the program is said; it is ours, whatever the quoting. */
const programKeys = new Set(["command", "args", "bash", "type", "matcher", "hooks"]);

/** Compares each entry of ours with what we would write in its place. */
export function weakEntries(form: HookForm, text: string, file: string): WeakEntry[] {
  const ours = hooksIn(form, text, file).flatMap(({ place: { native }, group, hook }) => {
    const wanted = ourHook(form, native, hook);
    return wanted === null ? [] : [{ native, faults: faultsOf(form, printEntry(form, wanted), group, hook) }];
  });
  // A second entry of the event that is whole makes up for the first.
  const whole = new Set(ours.filter(({ faults }) => faults.every(isUnknown)).map(({ native }) => native));
  return ours.flatMap(({ native, faults }) =>
    faults
      .filter((fault) => isUnknown(fault) || !whole.has(native))
      .map((fault) => ({ native, why: fault.why, letsCallsPass: !isUnknown(fault) })),
  );
}

interface Fault {
  readonly why: string;
  readonly isUnknown: boolean;
}

const isUnknown = (fault: Fault): boolean => fault.isUnknown;

function faultsOf(form: HookForm, printed: Hook, group: Hook, hook: Hook): Fault[] {
  const [inner] = (form.lists === "groups" ? printed.hooks : [printed]) as [Hook];
  return [
    ...matcherFaults(printed.matcher, group.matcher),
    ...changedKeys(inner, hook),
    ...addedKeys(inner, { ...group, ...hook }),
  ];
}

/** One that was not written, is empty, or is a pattern for anything, is for every tool. */
function matcherFaults(wanted: unknown, is: unknown): Fault[] {
  if (is === undefined || is === wanted || (typeof is === "string" && matchesAll.test(is))) return [];
  const why = `its matcher is ${JSON.stringify(is)}: calls that do not match it are not judged`;
  return [{ why, isUnknown: false }];
}

const matchesAll = /^\^?\(?(\*|\.\*|\.\+|)\)?\$?$/;

/** What we wrote and somebody took out or changed: `onFailure`, `failClosed`, the name of the event. */
function changedKeys(printed: Hook, hook: Hook): Fault[] {
  return Object.entries(printed)
    .filter(([key]) => !programKeys.has(key) && !harmlessKeys.has(key))
    .filter(([key, value]) => JSON.stringify(hook[key]) !== JSON.stringify(value))
    .map(([key, value]) => ({
      why: `its ${key} is ${JSON.stringify(hook[key]) ?? "gone"}, and was ${JSON.stringify(value)}`,
      isUnknown: false,
    }));
}

/** What somebody wrote beside it. */
function addedKeys(printed: Hook, hook: Hook): Fault[] {
  return Object.entries(hook)
    .filter(([key]) => !(key in printed) && !strictKeys.has(key))
    .filter(([key]) => !programKeys.has(key) && !harmlessKeys.has(key))
    .filter(([key, value]) => !(offWhenFalse.has(key) ? value === true : value === false || value === null))
    .map(([key, value]) => {
      const said = `${key}: ${JSON.stringify(value)}`;
      const effect = effects[key];
      return effect === undefined
        ? { why: `it has ${said}, which we did not write`, isUnknown: true }
        : { why: `it has ${said}: ${effect}`, isUnknown: false };
    });
}

/** Keys that do harm when they are false, where all others do when they are true. */
const offWhenFalse = new Set(["enabled"]);

const effects: Readonly<Record<string, string>> = {
  if: "calls that do not fit it are not judged",
  async: "its answer is not waited for, so a denied call runs",
  asyncRewake: "its answer is not waited for, so a denied call runs",
  once: "it may run once a session and never again",
  disabled: "it does not run",
  enabled: "it does not run",
  shell: "another shell starts it",
  platforms: "it runs on some systems only",
  cwd: "it is started in another folder, and other hooks are in force there",
  env: "it is started with another environment",
};
