// Loaded where files of tests share a process: one that starts a daemon, or `swarm`, whose calls start one, fails there.
import childProcess, { type ChildProcess } from "node:child_process";
import { registerHooks, syncBuiltinESMExports } from "node:module";

const isSwarm = /[/\\]bin[/\\]swarm(?![\w.-])|[/\\]dist[/\\]bundle[/\\](?!batch)/;
const remedy =
  "test:fast starts no daemon. A test that does imports test/e2e/harness.ts, or its first lines say `// Left out of test:fast: why`";

const { ChildProcess: Started } = childProcess as typeof childProcess & {
  ChildProcess: { prototype: { spawn(options: { args?: readonly string[] }): ChildProcess } };
};
const { spawn } = Started.prototype;
Started.prototype.spawn = function (this: ChildProcess, options) {
  check(options.args ?? []);
  return spawn.call(this, options);
};

for (const name of ["spawnSync", "execFileSync", "execSync"] as const) {
  const start = childProcess[name] as (...args: readonly unknown[]) => unknown;
  Object.assign(childProcess, {
    [name](...args: readonly unknown[]) {
      check(args);
      return start(...args);
    },
  });
}
syncBuiltinESMExports();

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (found.url.endsWith("/src/daemon/server/daemon.ts"))
      throw new Error(`the daemon was loaded: ${remedy}`);
    return found;
  },
});

function check(args: readonly unknown[]): void {
  const started = args.flat().find((arg) => typeof arg === "string" && isSwarm.test(arg));
  if (started !== undefined) throw new Error(`${String(started)} was started: ${remedy}`);
}
