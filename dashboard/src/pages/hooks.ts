import { action } from "../action.ts";
import type { Api, ItemOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { folderField } from "../folder-field.ts";
import { Loader, type OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { eventName } from "../rows.ts";
import { badge, code, empty, line, notice, table, tableRow, textOrNull, timeAgo } from "../view.ts";

type Hook = ItemOf<"listHooks">;

const columns = ["Hook", "Event", "Runs as", "Trust", "Last result", "Calls", "Switch"];

/** The hooks in force in a folder. */
export const openHooks: OpenPage = ({ api, place, replace }) => {
  const { cwd } = place.query;
  const list = h("div");
  const loader = new Loader(list, async () => {
    const { items, files, problem, skipped } = await api.call("listHooks", { query: cwd ? { cwd } : {} });
    return [
      problem === null
        ? null
        : notice("bad", h("strong", {}, "The files as they are now are not in force. "), line(problem)),
      skipped.length === 0
        ? null
        : notice("warn", `${skipped.length} hooks are left out: `, code("swarm hooks list"), " tells why."),
      files.length === 0 ? null : h("p", { class: "quiet" }, "From ", line(files.join(", "))),
      items.length === 0
        ? nothing()
        : table(
            "Hooks in force",
            columns,
            items.map((hook) => rowOf(api, hook, cwd, () => loader.now())),
          ),
    ];
  });
  return {
    title: "Hooks",
    element: h(
      "div",
      {},
      h(
        "div",
        { class: "tools" },
        folderField(api, cwd, (wanted) => replace(hashOf("hooks", { cwd: wanted }))),
      ),
      list,
    ),
    onRow: () => loader.soon(),
    close: () => loader.stop(),
  };
};

function nothing(): HTMLElement {
  return empty(
    "No hooks are in force in this folder.",
    "Write a first one with its test: ",
    code("swarm hooks new tool.before"),
    ", then approve it with ",
    code("swarm trust"),
    ".",
  );
}

function rowOf(
  api: Api,
  hook: Hook,
  cwd: string | undefined,
  onSwitched: () => Promise<void>,
): HTMLTableRowElement {
  const { id, name, event, match, kind, mode, on_failure, trust, source, last_result, last_at, last_reason } =
    hook;
  const told =
    last_result === null || last_at === null ? "never called" : [badge(last_result), " ", timeAgo(last_at)];
  return tableRow(columns, [
    [h("strong", {}, line(name)), h("div", { class: "quiet clamp" }, line(source))],
    [eventName(event), h("div", { class: "quiet" }, line(match))],
    [
      `${kind}, ${mode}`,
      h("div", { class: "quiet" }, on_failure === "deny" ? "denies when it fails" : "passes when it fails"),
    ],
    [
      badge(trust),
      trust === "own" || trust === "trusted"
        ? null
        : h("div", { class: "quiet" }, "does not run: ", code("swarm trust")),
    ],
    [told, last_reason === null ? null : h("div", { class: "quiet clamp" }, textOrNull(last_reason))],
    callsOf(hook),
    switchOf(api, hook, cwd, onSwitched),
  ]);

  function callsOf({ calls, failures, denials }: Hook): Child {
    const counted = `${calls}${calls >= 1_000 ? " or more" : ""}`;
    return [
      h("a", { href: hashOf("record", { hook_id: id }) }, counted),
      h("div", { class: "quiet" }, `${denials} denied, ${failures} failed`),
    ];
  }
}

function switchOf(
  api: Api,
  { id, name, enabled }: Hook,
  cwd: string | undefined,
  onSwitched: () => Promise<void>,
): Child {
  const standing = badge(enabled ? "enabled" : "disabled");
  if (!api.may("switchHook")) return standing;
  const word = enabled ? "Disable" : "Enable";
  const query = cwd === undefined ? {} : { cwd };
  const turn = async (): Promise<void> => {
    await api.call("switchHook", { params: { id }, query, body: { enabled: !enabled } });
    await onSwitched();
  };
  return [standing, " ", action(word, name, turn)];
}
