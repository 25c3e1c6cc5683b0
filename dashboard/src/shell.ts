import type { RunEvent } from "../../src/record/port/run-event.ts";
import { Api, type ResultOf } from "./api.ts";
import { type Child, fill, h } from "./dom.ts";
import { type Gap, LiveStream, type StreamState } from "./live-stream.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { OpenPage, Page, Surroundings } from "./page.ts";
import { openApprovals } from "./pages/approvals.ts";
import { openBatch } from "./pages/batch.ts";
import { openDrift } from "./pages/drift.ts";
import { openHooks } from "./pages/hooks.ts";
import { openJobs } from "./pages/jobs.ts";
import { openLive } from "./pages/live.ts";
import { openModels } from "./pages/models.ts";
import { openOverview } from "./pages/overview.ts";
import { openPdf } from "./pages/pdf.ts";
import { openPipelines } from "./pages/pipelines.ts";
import { openRecord } from "./pages/record.ts";
import { openWebhooks } from "./pages/webhooks.ts";
import { hashOf, placeOf } from "./place.ts";
import { codeOfLink, type Session } from "./session.ts";
import { badge, line, notice } from "./view.ts";

const pages: readonly (readonly [name: string, title: string, open: OpenPage])[] = [
  ["", "Overview", openOverview],
  ["live", "Live", openLive],
  ["approvals", "Approvals", openApprovals],
  ["hooks", "Hooks", openHooks],
  ["record", "Record", openRecord],
  ["pdf", "Audit PDF", openPdf],
  ["webhooks", "Webhooks", openWebhooks],
  ["jobs", "Jobs", openJobs],
  ["batch", "Batch", openBatch],
  ["pipelines", "Pipelines", openPipelines],
  ["models", "Models", openModels],
  ["drift", "Drift", openDrift],
];

/** The page as long as the session lasts; `onLeft` is told when it does not any more. */
export function runShell(session: Session, onLeft: (problem: Child) => void): void {
  new Shell(session, onLeft).start();
}

class Shell {
  readonly #session: Session;
  readonly #onLeft: (problem: Child) => void;
  readonly #api: Api;
  readonly #main = h("main", { id: "main", tabindex: "-1" });
  readonly #heading = h("h1");
  readonly #state = h("span", { class: "state", role: "status" });
  readonly #waiting = h("span", { class: "count", title: "wait for a decision" });
  readonly #links = pages.map(([name, title]) =>
    h("a", { href: hashOf(name) }, title, name === "approvals" ? [" ", this.#waiting] : null),
  );
  readonly #turn = (): void => this.#open();
  readonly #surroundings: Omit<Surroundings, "place">;
  /** How many wait for a decision, beside the name of that page. */
  readonly #count = oneAtATime(async () => {
    const query = { status: "pending", limit: 1_000 } as const;
    const show = ({ items, next_cursor: more }: ResultOf<"listApprovals">): void => {
      this.#waiting.textContent = items.length === 0 ? "" : `${items.length}${more === null ? "" : "+"}`;
    };
    await this.#api.call("listApprovals", { query }).then(show, () => undefined); // The next row tries again.
  });
  #stream: LiveStream | null = null;
  #page: Page | null = null;
  #isLeft = false;

  constructor(session: Session, onLeft: (problem: Child) => void) {
    this.#session = session;
    this.#onLeft = onLeft;
    const over = "The session is over: it was ended, its time was, or the daemon was started anew.";
    this.#api = new Api(session.key, session.role, () => this.#leave(notice("warn", over)));
    let names: Promise<readonly string[]> | null = null;
    this.#surroundings = {
      api: this.#api,
      replace: (hash) => this.#replace(hash),
      eventNames: () => {
        names ??= this.#eventNames();
        return names;
      },
    };
  }

  start(): void {
    const { name, role } = this.#session;
    const skip = (event: Event): void => {
      event.preventDefault();
      this.#main.focus();
    };
    const logOut = async (): Promise<void> => {
      await this.#api.call("logout").catch(() => undefined); // Whatever it answers, this browser forgets it.
      this.#leave(null);
    };
    const bar = h(
      "header",
      { class: "bar" },
      h("nav", { "aria-label": "Pages" }, ...this.#links),
      h(
        "div",
        { class: "who" },
        this.#state,
        h("span", {}, line(name), ", ", role),
        h("button", { type: "button", click: () => void logOut() }, "Log out"),
      ),
    );
    const toMain = h("a", { class: "skip", href: "#main", click: skip }, "Skip to the page");
    fill(document.body, toMain, bar, this.#main);
    addEventListener("hashchange", this.#turn);
    this.#stream = this.#listen();
    this.#open();
    this.#count();
  }

  #leave(problem: Child): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    removeEventListener("hashchange", this.#turn);
    this.#stream?.close();
    this.#page?.close?.();
    this.#onLeft(problem);
  }

  /** The page the address names. */
  #open(): void {
    // A login link, opened where the page is open already: begin anew with it.
    if (codeOfLink(location.hash) !== null) {
      location.reload();
      return;
    }
    const place = placeOf(location.hash);
    const found = pages.findIndex(([name]) => name === place.page);
    for (const [at, link] of this.#links.entries()) {
      if (at === found) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const [, , open] = pages[found] ?? [];
    this.#page?.close?.();
    this.#page = open?.({ ...this.#surroundings, place }) ?? noPage();
    this.#heading.textContent = this.#page.title;
    document.title = `${this.#page.title} · swarm-hooks`;
    fill(this.#main, this.#heading, this.#page.element);
  }

  /** The same page with other filters: whoever has changed one by keyboard is still there. */
  #replace(hash: string): void {
    const name = document.activeElement?.getAttribute("name");
    history.replaceState(null, "", hash);
    this.#open();
    if (name) this.#main.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
  }

  async #eventNames(): Promise<readonly string[]> {
    const { items, changes } = await this.#api.call("showCatalog");
    return [...items.map(({ event }) => event), ...changes];
  }

  #listen(): LiveStream {
    const { key } = this.#session;
    return new LiveStream({
      connect: (afterSeq) => {
        const after = afterSeq === null ? "" : `?after=${afterSeq}`;
        const protocols = ["swarm.v1", `swarm.key.${key}`];
        return new WebSocket(`ws://${location.host}/api/v1/stream${after}`, protocols);
      },
      onRow: (row: RunEvent) => {
        if (row.event.startsWith("approval.")) this.#count();
        this.#page?.onRow?.(row);
      },
      onGap: (gap: Gap) => {
        this.#count();
        this.#page?.onGap?.(gap);
      },
      onState: (state: StreamState) => fill(this.#state, badge(state)),
      // A daemon that does not answer may come back; one that does not know the session has us leave.
      mayReconnect: async () => {
        await this.#api.call("whoAmI").catch(() => undefined);
        return !this.#isLeft;
      },
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
  }
}

function noPage(): Page {
  return { title: "No such page", element: h("p", {}, h("a", { href: hashOf("") }, "Overview")) };
}
