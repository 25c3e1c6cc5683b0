import { secretForms } from "../base/secrets/mask.ts";
import { show } from "../base/show.ts";
import { suggest } from "../base/suggest.ts";
import { type Placed, readFields } from "./fields.ts";
import type { HookConfig } from "./hook-config.ts";
import { hookId } from "./identity.ts";
import type { ConfigFields } from "./config-field.ts";
import { type ConfigNode, didYouMean, invalid, type Position, showNode } from "./node.ts";
import type { Reading } from "./reading.ts";

const formIds = secretForms.map(({ id }) => id);

export const redactKeys = {
  forms: {
    type: "strings",
    min: 1,
    expected: "forms of docs/redaction.md",
    doc: "The only forms of secrets to mask. Default: all of docs/redaction.md.",
  },
  disable: {
    type: "strings",
    expected: "forms of docs/redaction.md",
    doc: "Forms of secrets to leave as they are.",
  },
} as const satisfies ConfigFields;

/** What one file says about masking secrets in tool output. */
export interface RedactSection {
  readonly source: Position & { readonly file: string };
  /** Ids of the forms that are masked. */
  readonly forms: readonly string[];
}

/** `redact: true`, or a map that says which forms. Null: the file asks for nothing. */
export function readRedact({ file, owner }: Reading, field: Placed<ConfigNode>): RedactSection | null {
  const { value: node, keyAt } = field;
  const source = { file, ...keyAt };
  if (node.kind === "scalar" && node.value === true) return { source, forms: formIds };
  if (node.kind === "scalar" && (node.value === null || node.value === false)) {
    if (node.value === null || owner === "user") return null;
    throw invalid(file, node.at, "redact is false, expected true: a project's file may only switch it on");
  }
  if (node.kind !== "map")
    throw invalid(
      file,
      node.at,
      `redact is ${showNode(node)}, expected true, or a map with forms or disable`,
    );
  const { forms, disable } = readFields(file, node, "redact", redactKeys);
  for (const field of [forms, disable]) if (field !== undefined) checkForms(file, field);
  const left = disable?.value ?? [];
  return { source, forms: (forms?.value ?? formIds).filter((id) => !left.includes(id)) };
}

/** A misspelt form that is ignored would be one that is not masked. */
function checkForms(file: string, { value, at }: Placed<readonly string[]>): void {
  const unknown = value.find((id) => !formIds.includes(id));
  if (unknown === undefined) return;
  const near = didYouMean(suggest(unknown, formIds));
  throw invalid(
    file,
    at,
    `${show(unknown)} is no form of a secret, expected one of docs/redaction.md${near}`,
  );
}

/** It runs after every other transform, so that what those have added is masked, too. */
export const redactPriority = -1_000_000;

/**
 * The hook that both files together ask for: a project adds forms to the user's and takes none away. Null when neither
 * asks for one.
 */
export function redactHook(
  sections: readonly (RedactSection | null)[],
  others: readonly HookConfig[],
): HookConfig | null {
  const asking = sections.filter((section) => section !== null);
  const [first] = asking;
  if (first === undefined) return null;
  const asked = new Set(asking.flatMap(({ forms }) => forms));
  const taken = new Set(others.map(({ name }) => name));
  let name = "swarm/redact";
  while (taken.has(name)) name += "'";
  return {
    // The same in every folder, so that it is switched off and counted as one.
    id: hookId("swarm", "tool.after", "redact"),
    name,
    source: first.source,
    dialect: "swarm",
    event: "tool.after",
    nativeEvent: "tool.after",
    match: "*",
    when: null,
    priority: redactPriority,
    mode: "transform",
    onFailure: "deny",
    onDenied: false,
    timeoutMs: 10_000,
    plugin: null,
    action: { kind: "redact", forms: formIds.filter((id) => asked.has(id)) },
  };
}
