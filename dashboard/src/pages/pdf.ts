import { rangeText } from "../../../src/record/pdf/range-text.ts";
import { action, actionForm } from "../action.ts";
import type { Api, ItemOf, ResultOf } from "../api.ts";
import { type Child, fill, h } from "../dom.ts";
import { field } from "../filter-form.ts";
import { Loader, type OpenPage } from "../page.ts";
import { sizeText } from "../sizes.ts";
import { badge, code, digest, empty, line, notice, number, table, tableRow, time } from "../view.ts";

type Kept = ItemOf<"listAuditPdfs">;
type Made = ResultOf<"makeAuditPdf">;

const shownPdfs = 100;
const dayMs = 86_400_000;

/** Ranges of the record as PDFs: one is made, and those there are are saved with their manifests. */
export const openPdf: OpenPage = ({ api }) => {
  const list = h("div");
  const loader = new Loader(list, async () => {
    const { items, unusable } = await api.call("listAuditPdfs", { query: { limit: shownPdfs } });
    return [
      unusable === 0
        ? null
        : notice("warn", `${unusable} PDFs are left out: their manifests are missing, or are others'.`),
      items.length === 0 ? nothing() : keptTable(api, items),
    ];
  });
  return {
    title: "Audit PDF",
    element: h(
      "div",
      {},
      api.may("makeAuditPdf")
        ? makeForm(api, () => loader.now())
        : h("p", { class: "quiet" }, "An admin can make one."),
      h("h2", {}, "Kept"),
      list,
    ),
    onRow: ({ event, kind }) => void (event === "audit.pdf" && kind === "outcome" && loader.soon()),
    onGap: () => loader.soon(),
    close: () => loader.stop(),
  };
};

function nothing(): HTMLElement {
  return empty(
    "No PDF is kept.",
    "What is made here, and by jobs of kind ",
    code("audit_pdf"),
    ", stays until somebody removes it.",
  );
}

function makeForm(api: Api, onMade: () => Promise<void>): HTMLElement {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const date = (name: string, value: string) => h("input", { type: "date", name, value, required: true });
  const [from, to] = [date("from", day(Date.now() - 30 * dayMs)), date("to", day(Date.now()))];
  const rows = h(
    "select",
    { name: "rows" },
    h("option", { value: "notable" }, "what somebody will ask about"),
    h("option", { value: "all" }, "every row, one by one"),
  );
  const told = h("div", { "aria-live": "polite" });
  const button = h("button", { type: "submit" }, "Make the PDF");
  const fields = [field("First day, UTC", from), field("Last day, UTC", to), field("Rows", rows)];
  return actionForm(fields, button, told, async () => {
    fill(
      told,
      h("p", { class: "quiet" }, "It is being made. A hundred thousand rows take about 15 seconds."),
    );
    const body = { from: from.value, to: to.value, rows: rows.value as "notable" | "all" };
    fill(told, madeNotice(api, await api.call("makeAuditPdf", { body })));
    await onMade();
  });
}

function madeNotice(api: Api, { id, manifest, problem }: Made): HTMLElement {
  const { pages, rows, range, sha256 } = manifest;
  const is = problem === null ? "" : "The record is NOT intact, and the PDF says so: ";
  return notice(
    problem === null ? "good" : "bad",
    h("strong", {}, `${pages} pages, ${rows} rows, ${rangeText(range)}. `),
    is,
    problem === null ? null : line(problem),
    h("p", {}, "SHA-256 ", code(sha256)),
    id === null ? null : buttonsOf(api, id, rangeText(range)),
  );
}

/** The manifest proves what the PDF is, and lies beside it to be checked. */
function buttonsOf(api: Api, id: string, about: string): HTMLElement {
  const params = { id };
  return h(
    "div",
    { class: "actions" },
    action("PDF", `of ${about}`, () => api.save("getAuditPdf", { params })),
    action("Manifest", `of ${about}`, () => api.save("getAuditPdfManifest", { params })),
  );
}

const columns = ["Made", "Range", "Rows", "Pages", "Record", "SHA-256", "Download"];

function keptTable(api: Api, pdfs: readonly Kept[]): HTMLElement {
  const rows = pdfs.map(({ id, made_at, range, rows: covered, pages, bytes, sha256, is_intact, file }) =>
    tableRow(columns, [
      time(made_at),
      [h("strong", {}, line(rangeText(range))), h("div", { class: "quiet" }, line(file))],
      number(covered),
      [number(pages), h("div", { class: "quiet number" }, sizeText(bytes))],
      badge(is_intact ? "intact" : "not intact"),
      digest(sha256),
      buttonsOf(api, id, rangeText(range)),
    ]),
  );
  const told: Child = h(
    "p",
    { class: "quiet" },
    "Keep both side by side: ",
    code("swarm audit verify FILE.pdf"),
    " checks them.",
  );
  return h("div", {}, table("PDFs of the record, newest first", columns, rows), told);
}
