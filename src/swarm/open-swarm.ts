import { randomBytes } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import { newId } from "../base/ids.ts";
import { Lazy } from "../base/part.ts";
import { bornOf, isRunning, thisProcess } from "../base/process-identity.ts";
import { addKnownSecret } from "../base/secrets/mask.ts";
import { agentTokenPrefix } from "../daemon/access/port/token-store.ts";
import { Fence } from "./agents/fence.ts";
import type { Delivery } from "./mail/mail.ts";
import type { Swarm, SwarmOptions } from "./service.ts";
import type { OwnerProcess } from "./tasks/port/task.ts";

/** The swarm of this machine. */
export class SwarmService extends Lazy<Swarm> {
  /** Asked at every tool call; knows of no agent before the swarm is opened. */
  readonly fence: Fence;
  readonly #clock: Clock;

  constructor(options: Omit<SwarmOptions, "newId" | "newToken" | "hasEnded" | "fence">) {
    const fence = new Fence();
    super(async () => {
      const { Swarm } = await import("./service.ts");
      const swarm = new Swarm({ ...options, newId, newToken, hasEnded, fence });
      await swarm.agents.load();
      await swarm.mail.load();
      return swarm;
    });
    this.fence = fence;
    this.#clock = options.clock;
  }

  /** What an agent's call brings along is noted before it is decided. Where no token comes, nobody waits. */
  async note(session: string | undefined, token: string | undefined): Promise<void> {
    if (token !== undefined) await this.open();
    const isNew = this.fence.bind(session, token);
    const sign = this.fence.signOfLife(session, this.#clock.now());
    if (sign !== null) await (await this.open()).agents.alive(sign, isNew);
  }

  /** What is to enter the context of a session's agent now; null: nothing, as always for a person's session. */
  async messagesFor(session: string | undefined, roomChars: number): Promise<Delivery | null> {
    const agentId = this.fence.agentOf(session);
    return agentId === null ? null : (await this.open()).mail.deliver(agentId, roomChars);
  }
}

/** 256 random bits, shown once; no form of a secret knows it. */
function newToken(): string {
  const token = `${agentTokenPrefix}${randomBytes(32).toString("base64url")}`;
  addKnownSecret(token);
  return token;
}

/** A process of this machine, as others can find it. */
export function processOf(pid: number): OwnerProcess {
  return { place: thisProcess().place, pid, born: bornOf(pid) };
}

/** Only where it can be looked up; elsewhere its lease has to end. */
function hasEnded({ place, pid, born }: OwnerProcess): boolean {
  return place === thisProcess().place && !isRunning(pid, born);
}
