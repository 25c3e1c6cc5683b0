import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { NativeRequest } from "../agents/calls/native-calls.ts";
import { evaluate } from "./evaluate-hook.ts";

/** A home with this configuration, and a folder that calls come from; no daemon. */
export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-evaluate-")));
  readonly home = join(this.folder, "home");
  readonly cwd = join(this.folder, "work/project");

  constructor(t: TestContext, config: string) {
    mkdirSync(this.home, { mode: 0o700 });
    mkdirSync(this.cwd, { recursive: true });
    writeFileSync(join(this.home, "config.yaml"), config);
    t.after(() => rmSync(this.folder, { recursive: true }));
  }

  evaluate(request: NativeRequest) {
    process.env.SWARM_HOME = this.home;
    return evaluate(request, { startsDaemon: false });
  }
}
