/** How long a chunk should take: so long that handing it over costs little, so short that all workers have one. */
const [aimMs, tooLongMs] = [25, 100];
/** Where most of a chunk's time is the same whatever is in it, larger chunks pay up to this long. */
const dearestMs = 1_000;
const largest = 13;

/**
 * How many records the next chunk has: a power of two, found while the run goes. It begins with one, for all that is known
 * of it a call to a model. It doubles while chunks are quick, and halves when they are slow, unless that made each record
 * dearer: then most of the time is the call's and not the records' (a model that predicts one as slowly as a hundred), and
 * it doubles for as long as that pays.
 */
export class ChunkSize {
  readonly #fixed: number | null;
  readonly #isOneCall: boolean;
  #power = 0;
  /** Milliseconds per record at each size. */
  readonly #costs: (number | undefined)[] = [];

  /** `isOneCall`: a chunk's records are done together, so that two may take as long as one. */
  constructor(fixed: number | null, isOneCall: boolean) {
    this.#fixed = fixed;
    this.#isOneCall = isOneCall;
  }

  get lines(): number {
    return this.#fixed ?? 2 ** this.#power;
  }

  /** A chunk of so many lines took so long, from being handed over to coming back. */
  took(lineCount: number, ms: number): void {
    if (this.#fixed !== null) return;
    if (lineCount !== this.lines) {
      // Under way when the size changed, or cut short by the end or by its bytes: few long records may be slow, too.
      if (lineCount < this.lines && ms > dearestMs) this.#power = Math.floor(Math.log2(lineCount));
      return;
    }
    const power = this.#power;
    const before = this.#costs[power];
    const cost = ms / lineCount;
    const known = before === undefined ? cost : before + (cost - before) / 4;
    this.#costs[power] = known;
    const smaller = this.#costs[power - 1] ?? 0;
    const larger = this.#costs[power + 1] ?? 0;
    const isCallDear = smaller > 1.25 * known;
    // One alone says nothing of what two would cost.
    const isUntried = this.#isOneCall && power === 0 && larger === 0;
    if (larger > 0 && larger * 1.25 < known && ms < dearestMs) this.#power++;
    else if (ms < aimMs) this.#power++;
    else if ((isUntried || (isCallDear && larger <= known)) && ms < dearestMs / 2) this.#power++;
    else if (ms > tooLongMs && !isCallDear) this.#power--;
    this.#power = Math.min(Math.max(this.#power, 0), largest);
  }
}
