import { homedir } from "node:os";
import { join, resolve } from "node:path";

export function swarmHome(): string {
  return resolve(process.env.SWARM_HOME ?? join(homedir(), ".swarm"));
}
