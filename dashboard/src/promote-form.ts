import { actionForm } from "./action.ts";
import type { Api, ResultOf } from "./api.ts";
import { fill, h } from "./dom.ts";
import { field } from "./filter-form.ts";
import { hashOf } from "./place.ts";
import { line, notice } from "./view.ts";

interface Promotable {
  readonly model: string;
  readonly version: number;
  readonly stages: readonly { readonly stage: string }[];
}

/** Has a version stand for its model at a stage; where a rule asks for an approval, says so and where it is given. */
export function promoteForm(
  api: Api,
  { model, version, stages }: Promotable,
  onDone: () => Promise<void>,
): HTMLElement {
  if (!api.may("promoteModel"))
    return h("p", { class: "quiet" }, "An admin can promote this version to a stage.");
  const told = h("div", { "aria-live": "polite" });
  const known = new Set(["staging", "production", ...stages.map(({ stage }) => stage)]);
  const options = h("datalist", { id: "stages" }, ...[...known].map((value) => h("option", { value })));
  const stage = h("input", { name: "stage", list: "stages", placeholder: "production", required: true });
  const label = `Promote version ${version} of ${model}`;
  const button = h("button", { type: "submit", "aria-label": label }, "Promote");
  return actionForm([field("Stage", stage), options], button, told, async () => {
    const body = { stage: stage.value.trim() };
    const params = { model, version: String(version) };
    fill(told, answerOf(version, await api.call("promoteModel", { params, body })));
    await onDone();
  });
}

function answerOf(version: number, { status, stage, reason }: ResultOf<"promoteModel">): HTMLElement {
  if (status === "promoted") return notice("good", `Version ${version} stands at `, line(stage.stage), ".");
  return notice(
    "warn",
    h("strong", {}, "An approval is needed. "),
    line(reason),
    h(
      "p",
      {},
      "Decide it in ",
      h("a", { href: hashOf("approvals") }, "Approvals"),
      ", then promote again: a yes is used once.",
    ),
  );
}
