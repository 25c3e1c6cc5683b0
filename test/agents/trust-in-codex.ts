import { execFileSync, spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

/** What Codex shows is looked at this often, and this many times. */
const lookEveryMs = 100;
const looks = 300;

/**
 * Does what a user does: starts Codex in a terminal, is shown the hooks that are new, and trusts them. Null when it is
 * done, else why it could not be. Codex writes down what was trusted; nobody else does.
 */
export async function trustInCodex(
  codex: string,
  project: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  if (spawnSync("tmux", ["-V"]).status !== 0) return "there is no tmux to be the terminal";
  const terminal = new Terminal(project, [codex, ...offline], { ...env, ...nowhere, TERM: "xterm-256color" });
  try {
    await terminal.shows("Hooks need review");
    await terminal.select("2. Trust all and continue", ["1. Review hooks", "3. Continue without trusting"]);
    terminal.press("Enter");
    await terminal.shows("To get started");
    return null;
  } finally {
    terminal.close();
  }
}

/** It is asked nothing, so it needs no model: only not to look for its vendor. */
const offline = [
  ...["-c", 'model_provider="local"', "-c", 'model="none"'],
  ...["-c", 'model_providers.local={name="local",base_url="http://127.0.0.1:9/v1",wire_api="responses"}'],
  ...["-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false"],
  ...["-c", "features.plugins=false", "-c", "features.apps=false"],
];

const nowhere = { HTTPS_PROXY: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };

class Terminal {
  readonly #socket = `swarm-test-${process.pid}`;

  constructor(cwd: string, argv: readonly string[], env: Readonly<Record<string, string>>) {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const size = ["-x", "120", "-y", "40"];
    this.#tmux("new-session", "-d", ...size, "-c", cwd, "env", "-i", ...variables, ...argv);
  }

  async shows(...texts: string[]): Promise<string> {
    let screen = "";
    for (let look = 0; look < looks; look++) {
      screen = this.#tmux("capture-pane", "-p");
      const shown = texts.find((text) => screen.includes(text));
      if (shown !== undefined) return shown;
      await pause(lookEveryMs);
    }
    throw new Error(`Codex never showed "${texts.join('" or "')}", but:\n${screen}`);
  }

  /** It draws before it listens, and what is pressed too early is lost: one look later it is pressed again. */
  async select(wanted: string, [above, below]: readonly [string, string]): Promise<void> {
    for (let look = 0; look < looks; look++) {
      const selected = await this.shows(`› ${wanted}`, `› ${above}`, `› ${below}`);
      if (selected === `› ${wanted}`) return;
      this.press(selected === `› ${above}` ? "Down" : "Up");
      await pause(lookEveryMs);
    }
    throw new Error(`Codex never let "${wanted}" be selected`);
  }

  press(key: string): void {
    this.#tmux("send-keys", key);
  }

  close(): void {
    spawnSync("tmux", ["-L", this.#socket, "kill-server"]);
  }

  #tmux(...args: string[]): string {
    return execFileSync("tmux", ["-L", this.#socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  }
}
