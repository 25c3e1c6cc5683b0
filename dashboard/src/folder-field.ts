import type { Api } from "./api.ts";
import { fill, h } from "./dom.ts";
import { field } from "./filter-form.ts";

/** Folders that sessions came from are offered; any other can be written. */
export function folderField(api: Api, cwd: string | undefined, onChange: (cwd: string) => void): HTMLElement {
  const known = h("datalist", { id: "folders" });
  const input = h("input", {
    name: "cwd",
    value: cwd ?? "",
    list: "folders",
    placeholder: "the daemon's own folder",
    change: () => onChange(input.value.trim()),
  });
  void api.call("listSessions", { query: { limit: 200 } }).then(
    ({ items }) => {
      const folders = new Set(items.flatMap(({ cwd: folder }) => folder ?? []));
      fill(known, ...[...folders].sort().map((value) => h("option", { value })));
    },
    () => undefined, // Without them it can still be written.
  );
  return h("div", { class: "wide" }, field("Folder", input), known);
}
