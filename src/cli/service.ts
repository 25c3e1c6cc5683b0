import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readIfThere } from "../base/private-file.ts";
import { oneLine } from "../base/show.ts";
import type { Command } from "./command.ts";
import { json } from "./json.ts";
import { swarmHome } from "./swarm-home.ts";

/** Where systemd looks for a user's own units. */
export function serviceFile(): string {
  return join(
    process.env.XDG_CONFIG_HOME ?? join(homedir(), ".config"),
    "systemd",
    "user",
    "swarm-hooks.service",
  );
}

/** Whether it was not there yet, or another one. */
export function writeService(): boolean {
  const file = serviceFile();
  const text = unit(process.execPath, resolve(process.argv[1] ?? ""), swarmHome());
  if (readIfThere(file) === text) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return true;
}

export const serviceInstallCommand: Command = {
  summary: "write a systemd user unit that keeps the daemon running",
  positionals: [],
  examples: ["swarm service install", "systemctl --user enable --now swarm-hooks"],
  run({ isJson }) {
    const file = serviceFile();
    const isNew = writeService();
    const next = "systemctl --user daemon-reload && systemctl --user enable --now swarm-hooks";
    if (isJson) return json({ file, changed: isNew, next });
    return `${oneLine(file)} ${isNew ? "is written" : "is there already"}; start it with\n  ${next}\n`;
  },
};

export const serviceUninstallCommand: Command = {
  summary: "remove the systemd user unit; a daemon that runs goes on",
  positionals: [],
  examples: ["systemctl --user disable --now swarm-hooks", "swarm service uninstall"],
  run({ isJson }) {
    const file = serviceFile();
    const wasThere = readIfThere(file) !== null;
    rmSync(file, { force: true });
    if (isJson) return json({ file, changed: wasThere });
    return wasThere ? `${oneLine(file)} is removed\n` : "there was no unit\n";
  },
};

/** Node and the program by their whole paths: a service has no PATH of the user's shell. */
function unit(node: string, program: string, home: string): string {
  return `[Unit]
Description=swarm-hooks: hooks and operations for AI agents

[Service]
ExecStart=${[node, program, "up"].map(quoted).join(" ")}
Environment=${quoted(`SWARM_HOME=${home}`)}
Restart=on-failure
RestartSec=1
# The daemon stops within ten seconds and ends the programs it started itself.
TimeoutStopSec=15
KillMode=mixed

[Install]
WantedBy=default.target
`;
}

/** As systemd reads it: `%` begins a specifier, `$` a variable. */
function quoted(word: string): string {
  return `"${word.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
}
