import { action, actionForm } from "./action.ts";
import type { Api } from "./api.ts";
import { type Child, fill, h } from "./dom.ts";
import { field } from "./filter-form.ts";
import { type Approvers, isPasskeyPage, usablePasskeys, usePasskey } from "./use-passkey.ts";
import { code, line, notice, table, tableRow } from "./view.ts";

type Waiting = Approvers["waiting"][number];

type ChangeBody =
  | { readonly action: "add"; readonly name: string; readonly passkey: Readonly<Record<string, unknown>> }
  | { readonly action: "remove"; readonly key_id: string };

const columns = ["Name", "Kind", "Id", ""];

/** Whose keys approve, and how one is added. All but listing takes the signature of a key there is. */
export class ApproverKeys {
  readonly element = h("section", { "aria-label": "Keys of approvers" });
  readonly #api: Api;
  readonly #onChanged: () => void;
  #shown = "";

  constructor(api: Api, onChanged: () => void) {
    this.#api = api;
    this.#onChanged = onChanged;
  }

  show(approvers: Approvers): void {
    const text = JSON.stringify(approvers);
    // What somebody is typing into is not replaced by itself.
    if (text === this.#shown) return;
    this.#shown = text;
    fill(
      this.element,
      h("h2", {}, "Keys"),
      h("p", {}, ...requirementOf(approvers)),
      approvers.keys.length === 0 ? null : this.#table(approvers),
      ...approvers.waiting.map((waiting) => this.#waiting(waiting, approvers)),
      this.#api.may("changeApprovers") ? this.#addForm(approvers) : null,
    );
  }

  #table({ keys }: Approvers): HTMLElement {
    const mayChange = this.#api.may("changeApprovers");
    const remove = (key_id: string) => this.#change({ action: "remove", key_id });
    const rows = keys.map(({ id, name, kind }) =>
      tableRow(columns, [
        line(name),
        kind,
        code(id),
        mayChange ? action("Remove", `the key ${name}`, () => remove(id)) : null,
      ]),
    );
    return table("Whose keys approve", columns, rows);
  }

  #waiting(waiting: Waiting, approvers: Approvers): HTMLElement {
    const { id, change } = waiting;
    const [key] = usablePasskeys(approvers);
    const confirm = async (): Promise<void> => {
      if (key === undefined) return;
      const body = await usePasskey((passkeys) => passkeys.signChange(waiting, key));
      await this.#api.call("confirmApproverChange", { params: { id }, body });
      this.#onChanged();
    };
    return notice(
      "warn",
      h("strong", {}, line(describe(change, approvers))),
      " waits to be confirmed, for ten minutes. On a terminal: ",
      code(`swarm approvals key confirm ${id}`),
      key === undefined || !this.#api.may("confirmApproverChange")
        ? null
        : action("Confirm with a passkey", describe(change, approvers), confirm),
    );
  }

  #addForm(approvers: Approvers): Child {
    if (approvers.keys.length === 0)
      return h(
        "p",
        { class: "quiet" },
        "The first key is made on a terminal: ",
        code("swarm approvals key add"),
      );
    if (!isPasskeyPage(approvers)) {
      const where = approvers.page ?? "a page whose name leads to no other program";
      const how = [" Open the link of ", code("swarm login"), "."];
      return h("p", { class: "quiet" }, "Passkeys are made at ", line(where), ".", ...how);
    }
    const told = h("div", { "aria-live": "polite" });
    const name = h("input", { name: "name", maxlength: "64", placeholder: "phone", required: true });
    const button = h("button", { type: "submit" }, "Add a passkey");
    return actionForm([field("Name", name)], button, told, async () => {
      const given = name.value.trim();
      const passkey = await usePasskey((passkeys) => passkeys.makePasskey(given, approvers));
      await this.#change({ action: "add", name: given, passkey });
    });
  }

  async #change(body: ChangeBody): Promise<void> {
    await this.#api.call("changeApprovers", { body });
    this.#onChanged();
  }
}

function requirementOf({ require, is_recorded }: Approvers): Child[] {
  if (require === "any") {
    const line = [code("approvals: {require: person}"), " in config.yaml has it take a person's key."];
    return ["Whatever holds an operator's token can approve. ", ...line];
  }
  const end = is_recorded
    ? [" It stays so until an approver signs ", code("swarm approvals require any"), "."]
    : [];
  return ["Approving takes a person's key.", ...end];
}

function describe(change: Waiting["change"], { keys }: Approvers): string {
  switch (change.action) {
    case "add":
      return `Adding the ${change.key.kind} ${change.key.name} (${change.key.id})`;
    case "remove":
      return `Removing ${keys.find(({ id }) => id === change.key_id)?.name ?? "a key"} (${change.key_id})`;
    case "require":
      return `Letting approvals take ${change.require === "any" ? "any operator's token" : "a person's key"}`;
  }
}
