import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { openRuntime } from "../../daemon/runtime/runtime.ts";

export const call = { tool_name: "Bash", tool_input: { command: "ls" } };

/** A project with these files that nobody has approved, and the ways to decide about it. */
export async function project(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-trust-")));
  const [home, cwd] = [join(folder, "home"), join(folder, "project")];
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
    if (text.startsWith("#!")) chmodSync(join(cwd, name), 0o755);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const open = () => openRuntime({ home, cwd, env: process.env, log: { warn: () => undefined } });
  const runtime = await open();
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const loaded = () => runtime.projects.refresh(cwd);
  return {
    runtime,
    home,
    cwd,
    folder,
    write,
    /** Another process on the same home. */
    open,
    show: async () => runtime.trust.show(await loaded()),
    approve: async () => {
      const found = await loaded();
      return runtime.trust.approve(found, runtime.trust.show(found).digest, "human:ada");
    },
    ignore: async () => runtime.trust.ignore(await loaded(), "human:ada"),
    revoke: async () => runtime.trust.revoke(await loaded(), "human:ada"),
    emit: (data: object = call, from = cwd) =>
      runtime.events.emit({ event: "tool.before", data, origin: { cwd: from } }),
  };
}

/** A hook of `tool.before` that adds what its program prints. */
export const hook = (what: string, more = ""): string =>
  `hooks:\n  - { event: tool.before, type: command, name: it, ${what}${more === "" ? "" : `, ${more}`} }\n`;
