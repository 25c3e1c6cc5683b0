import { newId } from "../base/ids.ts";
import { bornOf, isRunning, thisProcess } from "../base/process-identity.ts";
import type { Swarm, SwarmOptions } from "./service.ts";
import type { OwnerProcess } from "./tasks/port/task.ts";

/** The swarm of this machine. */
export async function openSwarm(options: Omit<SwarmOptions, "newId" | "hasEnded">): Promise<Swarm> {
  const { Swarm } = await import("./service.ts");
  return new Swarm({ ...options, newId, hasEnded });
}

/** A process of this machine, as others can find it. */
export function processOf(pid: number): OwnerProcess {
  return { place: thisProcess().place, pid, born: bornOf(pid) };
}

/** Only where it can be looked up; elsewhere its lease has to end. */
function hasEnded({ place, pid, born }: OwnerProcess): boolean {
  return place === thisProcess().place && !isRunning(pid, born);
}
