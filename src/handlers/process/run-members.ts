import { readdirSync, readFileSync } from "node:fs";
import { trySignal } from "./process-group.ts";

/** One killed process may have started another a moment before; five rounds end a chain of those. */
const maxRounds = 5;
/** The kernel counts a process's start in hundredths of a second, on every architecture. */
const msPerTick = 10;
const slackTicks = 100;

/**
 * The processes of one run, wherever they have moved to. A signal to the group misses whoever called `setsid` or
 * runs under a shell's job control, so on Linux they are looked up in /proc, by any of four signs:
 *
 * - its session is the child's: groups a shell made for its jobs;
 * - its parent is one of the run: all that has not been orphaned;
 * - it was one of the run when `note` looked: orphaned since, even with its environment cleared;
 * - its environment holds the run's mark: orphaned long before.
 *
 * Who clears its environment, leaves its session and is orphaned before anybody looks, all three, is not found: that
 * takes a PID namespace. Elsewhere than on Linux there is the group alone.
 *
 * A look costs 25 to 35 µs for each process of the machine, and 110 µs more for each younger than the run.
 */
export class RunMembers {
  readonly #leaderPid: number;
  readonly #mark: string;
  readonly #startedAtMs: number;
  /** Start times by pid: a pid alone may mean another process by now. */
  readonly #noted = new Map<number, number>();

  /** `startedAtMs` is on the clock of `performance.now`. */
  constructor(leaderPid: number, mark: string, startedAtMs: number) {
    this.#leaderPid = leaderPid;
    this.#mark = mark;
    this.#startedAtMs = startedAtMs;
  }

  note(): void {
    for (const { pid, startTicks } of this.#find()) this.#noted.set(pid, startTicks);
  }

  /**
   * Asks all to end but the two that keep a namespace up: the leader and its child, the namespace's first process.
   * False when nobody else is there, so that it is them who must be asked.
   */
  askInside(): boolean {
    const inside = this.#find().filter(
      ({ pid, parentPid }) => pid !== this.#leaderPid && parentPid !== this.#leaderPid,
    );
    for (const { pid } of inside) trySignal(pid, "SIGTERM");
    return inside.length > 0;
  }

  kill(): void {
    const killed = new Map<number, number>();
    for (let round = 0; round < maxRounds; round++) {
      const fresh = this.#find().filter(({ pid, startTicks }) => killed.get(pid) !== startTicks);
      if (fresh.length === 0) return;
      for (const { pid, startTicks } of fresh) {
        killed.set(pid, startTicks);
        this.#noted.set(pid, startTicks); // its children are of the run, though it may be gone when they are seen
        trySignal(pid, "SIGKILL");
      }
    }
  }

  #find(): ProcessStat[] {
    if (process.platform !== "linux") return [];
    const living = readProcesses();
    const earliestTicks = this.#earliestTicks();
    const members = new Map<number, ProcessStat>();
    for (const stat of living) if (this.#isMember(stat, earliestTicks)) members.set(stat.pid, stat);
    for (let before = -1; before < members.size; ) {
      before = members.size;
      for (const stat of living) if (members.has(stat.parentPid)) members.set(stat.pid, stat);
    }
    return [...members.values()];
  }

  #isMember(stat: ProcessStat, earliestTicks: number): boolean {
    if (stat.sessionId === this.#leaderPid || this.#noted.get(stat.pid) === stat.startTicks) return true;
    return stat.startTicks >= earliestTicks && hasMark(stat.pid, this.#mark);
  }

  /**
   * Nobody in the run is older than the run; a second is left for rounding. Counted from our own start, in the
   * kernel's own time: a container's uptime may be made up. A machine that slept in between only makes it earlier.
   */
  #earliestTicks(): number {
    const ownStartTicks = readProcess("self")?.startTicks ?? 0;
    return ownStartTicks + Math.floor(this.#startedAtMs / msPerTick) - slackTicks;
  }
}

interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  readonly sessionId: number;
  readonly startTicks: number;
}

/** Every process that is still running. */
function readProcesses(): ProcessStat[] {
  const stats: ProcessStat[] = [];
  for (const name of readNames("/proc")) {
    const stat = /^\d/.test(name) ? readProcess(name) : null;
    if (stat !== null) stats.push(stat);
  }
  return stats;
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no /proc here: the group is all we know
  }
}

/** Null for one that is gone, or dead and only waiting for its parent to notice. */
function readProcess(name: string): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "latin1");
    // The second field is the program's name in brackets, and it may hold brackets and spaces itself.
    const [state, parentPid, , sessionId, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return null;
    return {
      pid: Number.parseInt(text, 10),
      parentPid: Number(parentPid),
      sessionId: Number(sessionId),
      startTicks: Number(rest[15]),
    };
  } catch {
    return null;
  }
}

function hasMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    return false; // gone, or of another user: we could not end it either
  }
}
