import { isWithinLimits } from "../../engine/events/data-limits.ts";
import { type Action, actionOf } from "../../policy/rules/action.ts";
import type { Place } from "../../policy/rules/detect/place.ts";
import { realPath } from "../../policy/rules/files/real-path.ts";
import { placeIn } from "../../policy/rules/judge.ts";
import type { Adapter } from "../port/adapter.ts";
import type { RecordedCall, TranscriptReader } from "./transcripts/reader.ts";
import type { ScannedAgent } from "../port/agents.ts";

/** How the calls of each agent are read. */
export type ScanAdapters = Readonly<Record<ScannedAgent, Pick<Adapter, "decode">>>;

/** A call again as it was before it happened. */
export interface ReplayedCall {
  readonly action: Action;
  readonly place: Place;
}

/** Stands for a folder the transcript does not name: what is written relative to it is inside. */
const unknownFolder = "/unknown-folder";

/** Sessions are in a few folders each; without a bound a transcript that names a new one on every line would be a leak. */
const maxPlaces = 1_000;

/** Turns calls of transcripts into what rules judge, by the same adapters as calls of hooks. */
export class Replay {
  readonly #home: string;
  readonly #adapters: ScanAdapters;
  readonly #places = new Map<string, Place>();

  constructor(home: string, adapters: ScanAdapters) {
    this.#home = home;
    this.#adapters = adapters;
  }

  /** Null where it cannot be judged: its arguments are larger or deeper than any that are let in. */
  call(
    agent: ScannedAgent,
    reader: TranscriptReader,
    call: RecordedCall,
    timeMs: number,
  ): ReplayedCall | null {
    if (!isWithinLimits(call.input)) return null;
    const decoded = this.#adapters[agent].decode(reader.hookCall(call));
    const action = actionOf(decoded.event, decoded.data, decoded.origin, timeMs);
    return action === null ? null : { action, place: this.#placeIn(call.cwd ?? unknownFolder) };
  }

  #placeIn(cwd: string): Place {
    let place = this.#places.get(cwd);
    if (place === undefined) {
      place = placeIn(realPath(cwd), this.#home);
      if (this.#places.size >= maxPlaces) this.#places.clear();
      this.#places.set(cwd, place);
    }
    return place;
  }
}
