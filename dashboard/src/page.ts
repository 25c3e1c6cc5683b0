import type { RunEvent } from "../../src/record/port/run-event.ts";
import type { Api } from "./api.ts";
import { fill, h } from "./dom.ts";
import type { Gap } from "./live-stream.ts";
import type { Place } from "./place.ts";
import { failure } from "./view.ts";

/** What a page is opened with. */
export interface Surroundings {
  readonly api: Api;
  readonly place: Place;
  /** What rows can tell of, by name. */
  eventNames(): Promise<readonly string[]>;
  /** Goes to another place without leaving a step to go back to. */
  replace(hash: string): void;
}

/** One page, until another is opened. */
export interface Page {
  readonly title: string;
  readonly element: HTMLElement;
  /** A row was written. */
  onRow?(row: RunEvent): void;
  onGap?(gap: Gap): void;
  close?(): void;
}

export type OpenPage = (surroundings: Surroundings) => Page;

const settleMs = 1_000;

/**
 * Shows what `load` makes in an element, and has it made again: at once, or soon after rows that come in numbers. The
 * newest answer counts, whichever comes last.
 */
export class Loader {
  readonly #element: HTMLElement;
  readonly #load: () => Promise<readonly (Node | null)[]>;
  #latest = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(element: HTMLElement, load: () => Promise<readonly (Node | null)[]>) {
    this.#element = element;
    this.#load = load;
    element.tabIndex = -1;
    fill(element, h("p", { class: "quiet" }, "Loading…"));
    void this.now();
  }

  async now(): Promise<void> {
    this.stop();
    const mine = ++this.#latest;
    const shown = await this.#load().catch((error: unknown) => [failure(error)]);
    if (mine !== this.#latest) return;
    const hadFocus = this.#element.matches(":focus-within");
    fill(this.#element, shown);
    // What had it is gone; the next Tab goes on from here, not from the top of the page.
    if (hadFocus) this.#element.focus({ preventScroll: true });
  }

  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#isInHand()) this.soon();
      else void this.now();
    }, settleMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Nothing is put in the place of what somebody is about to press, or has opened to read. */
  #isInHand(): boolean {
    const { activeElement } = document;
    const hasFocus = activeElement !== this.#element && this.#element.contains(activeElement);
    return hasFocus || this.#element.querySelector("button:hover, details[open]") !== null;
  }
}
