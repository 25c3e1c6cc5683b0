// What of a daemon runs jobs, on a home that others may share: `node cron-daemon.ts HOME`, until it is killed.
import { openRuntime } from "../../src/daemon/runtime/runtime.ts";

const [, , home = ""] = process.argv;
const log = {
  warn: (message: string) => void (/not this daemon's|ended/.test(message) || console.error(message)),
};
const runtime = await openRuntime({ home, cwd: home, env: process.env, log });
await (await runtime.cron.open()).start();
process.stdout.write("up\n");
