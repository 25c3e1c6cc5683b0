import { countText } from "../../../src/operations/webhooks/port/outbox-store.ts";
import type { ResultOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { Loader, type OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { badge, code, empty, line, notice, table, tableRow, timeAgo } from "../view.ts";

type Overview = ResultOf<"showOverview">;
type Proof = Overview["agents"][number];

/** Older than this a proof says little: agents update themselves. */
const staleMs = 7 * 86_400_000;
/** No more of them are counted. */
const mostListed = 1_000;

export const openOverview: OpenPage = ({ api }) => {
  const element = h("div");
  const loader = new Loader(element, async () => {
    const overview = await api.call("showOverview");
    return [
      problemOf(overview),
      h("section", { class: "cards", "aria-label": "At a glance" }, ...cardsOf(overview)),
      h("h2", {}, "Agents"),
      agentsOf(overview.agents),
      h("h2", {}, "Daemon"),
      daemonOf(overview),
    ];
  });
  return { title: "Overview", element, onRow: () => loader.soon(), close: () => loader.stop() };
};

function problemOf({ config_problem, untrusted }: Overview): HTMLElement | null {
  if (config_problem !== null)
    return notice(
      "bad",
      h("strong", {}, "The configuration as it stands is not in force. "),
      line(config_problem),
    );
  if (untrusted === 0) return null;
  const what = untrusted === 1 ? "1 hook does not run" : `${untrusted} hooks do not run`;
  return notice("warn", `${what} until somebody has looked: `, code("swarm trust"), " in their folder.");
}

function cardsOf(overview: Overview): HTMLElement[] {
  const { pending_approvals: asked, denials_24h: denials, dead_deliveries: dead, hooks, guards } = overview;
  const { pending_deliveries: waiting, open_targets, recorded, signed } = overview;
  return [
    card(
      "Approvals waiting",
      countText(asked, mostListed),
      asked > 0 ? "for somebody to decide" : "nobody is kept waiting",
      {
        href: hashOf("approvals"),
        isUrgent: asked > 0,
      },
    ),
    card("Denials in 24 hours", countText(denials, mostListed), "by hooks, rules and people", {
      href: hashOf("record", { verdict: "deny" }),
    }),
    card("Hooks in force", String(hooks), `${guards} deny when they fail`, { href: hashOf("hooks") }),
    card(
      "Deliveries given up",
      countText(dead),
      `${countText(waiting)} waiting, receivers failing: ${open_targets}`,
      {
        href: hashOf("webhooks", dead > 0 ? { state: "dead" } : {}),
        isUrgent: dead > 0,
      },
    ),
    card("Rows recorded", String(recorded), `signed up to row ${signed}`, { href: hashOf("record") }),
  ];
}

/** The daemon counts no further. */
function card(
  name: string,
  value: string,
  more: string,
  { href, isUrgent = false }: { readonly href: string; readonly isUrgent?: boolean },
): HTMLElement {
  return h(
    "a",
    { class: isUrgent ? "card urgent" : "card", href },
    h("span", { class: "name" }, name),
    h("strong", {}, value),
    h("span", { class: "quiet" }, more),
  );
}

const columns = ["Agent", "Guards", "Last proof"];

function agentsOf(agents: readonly Proof[]): HTMLElement {
  if (agents.length === 0)
    return empty(
      "No agent is known yet.",
      "Put our hooks into one with ",
      code("swarm install"),
      ", then prove that it obeys them with ",
      code("swarm verify"),
      ".",
    );
  const rows = agents.map((proof) =>
    tableRow(columns, [h("strong", {}, line(proof.agent)), standingOf(proof), detailOf(proof)]),
  );
  return table("What each agent's guards came to when they were last proven", columns, rows);
}

function standingOf({ verdict, verified_at }: Proof): Child {
  if (verdict === null || verified_at === null) return badge("never verified");
  return [badge(verdict), " ", timeAgo(verified_at)];
}

function detailOf({ agent, verdict, verified_at, detail, is_outdated }: Proof): Child {
  const again = code(`swarm verify ${agent}`);
  if (verdict === null || verified_at === null) return ["Prove it: ", again];
  const isStale = Date.now() - Date.parse(verified_at) > staleMs;
  return [
    line(detail ?? ""),
    is_outdated ? [h("br"), "Its entries have changed since: ", again] : null,
    !is_outdated && isStale ? [h("br"), "That is long ago: ", again] : null,
  ];
}

function daemonOf({ version, pid, address, config_files }: Overview): HTMLElement {
  const files = config_files.length === 0 ? "none: write a swarm.yaml" : config_files.join(", ");
  return h(
    "p",
    { class: "quiet" },
    `Version ${version}, process ${pid}`,
    address === null ? "" : `, at ${address}`,
    ". Configuration of its own folder: ",
    line(files),
    ".",
  );
}
