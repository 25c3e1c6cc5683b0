import type { Clock } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import { isRunning, type ProcessIdentity, thisProcess } from "../../base/process-identity.ts";
import type { CronDaemon, CronStore } from "./port/cron-store.ts";

/** How often a daemon says that it lives, and how long one elsewhere may be silent: three times the longest tick. */
const beatEveryMs = 15_000;
const silentMs = 180_000;

/**
 * Who of those that run jobs is gone. On this machine the process is looked up. Of others all that is known is whether
 * their count of beats goes on while we watch, by a clock nobody can set: a time they wrote would prove nothing after one
 * of our clocks was set.
 */
export class Daemons {
  readonly id = newId("cd");
  readonly #store: CronStore;
  readonly #clock: Clock;
  readonly #self: ProcessIdentity;
  readonly #watched = new Map<string, { readonly beats: number; readonly sinceMs: number }>();
  #beats = 0;
  #beatAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: CronStore, clock: Clock, self: ProcessIdentity = thisProcess()) {
    this.#store = store;
    this.#clock = clock;
    this.#self = self;
  }

  /** Says that this one lives, if it is time to. Tells whether it was. */
  async beat(): Promise<boolean> {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#beatAtMs < beatEveryMs) return false;
    await this.#store.saveDaemon({ ...this.#self, daemon_id: this.id, beats: ++this.#beats });
    this.#beatAtMs = nowMs;
    return true;
  }

  /** Those of these that are gone; they are forgotten. One that nobody knows has left, or was found gone before. */
  async gone(ids: ReadonlySet<string>): Promise<Set<string>> {
    const known = new Map((await this.#store.listDaemons()).map((daemon) => [daemon.daemon_id, daemon]));
    const gone = new Set([...ids].filter((id) => id !== this.id && !known.has(id)));
    for (const daemon of known.values()) {
      if (daemon.daemon_id === this.id || this.#lives(daemon)) continue;
      gone.add(daemon.daemon_id);
      this.#watched.delete(daemon.daemon_id);
    }
    return gone;
  }

  async leave(): Promise<void> {
    if (this.#beats > 0) await this.#store.forgetDaemon(this.id);
  }

  #lives({ daemon_id, place, pid, born, beats }: CronDaemon): boolean {
    if (place === this.#self.place && !isRunning(pid, born)) return false;
    const nowMs = this.#clock.monotonicMs();
    const watched = this.#watched.get(daemon_id);
    if (watched?.beats !== beats) this.#watched.set(daemon_id, { beats, sinceMs: nowMs });
    return watched?.beats !== beats || nowMs - watched.sinceMs < silentMs;
  }
}
