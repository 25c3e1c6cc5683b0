import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Origin } from "../../engine/events/envelope.ts";
import type { EventName } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { type Files, folder, write } from "./harness.cases.ts";
import { openRuntime } from "../../daemon/runtime/runtime.ts";

/** A home, a project and a folder for plugins, and a runtime on them. */
export async function place(t: TestContext, userConfig = "") {
  const root = folder(t);
  const [home, cwd, source] = [join(root, "home"), join(root, "project"), join(root, "source")];
  for (const made of [home, cwd]) mkdirSync(made, { mode: 0o700 });
  const config = (text: string) => writeFileSync(join(home, "config.yaml"), text);
  config(userConfig);
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const open = async () => {
    const runtime = await openRuntime({ home, cwd, env: { ...process.env, SECRET: "s3cret" }, log });
    t.after(() => runtime.close());
    return runtime;
  };
  const runtime = await open();
  const emit = (event: EventName, data: object, origin: Origin = {}, by = runtime): Promise<Outcome> =>
    by.events.emit({ event, data, origin: { cwd, ...origin } });
  /** Adds what `swarm plugins add --yes` would. */
  const add = async (files: Files, by = runtime) => {
    write(source, files);
    const { digest } = await by.plugins.plan(source);
    return by.plugins.add(source, digest, "human:ada");
  };
  const runs = async () => (await runtime.store.plugins.listRuns({ limit: 1_000 })).reverse();
  return { root, home, cwd, source, config, warnings, open, runtime, emit, add, runs };
}

export const note = { message: "hi", level: "info" };

export function handlerOf({ handlers }: Outcome, name: string) {
  return handlers.find((handler) => handler.name === name) ?? assert.fail(`no ${name}`);
}
