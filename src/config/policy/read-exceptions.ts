import { isAbsolute } from "node:path";
import { show } from "../../base/show.ts";
import type { PathNames } from "../../policy/rules/files/path-globs.ts";
import { compileException } from "../../policy/rules/exception.ts";
import type { RuleException, RuleWhen } from "../../policy/rules/rule.ts";
import type { ConditionKey } from "../../policy/rules/conditions/compile-when.ts";
import type { ConfigFields } from "../config-field.ts";
import { type Placed, readFields } from "../fields.ts";
import { configLimits } from "../limits.ts";
import { type ConfigNode, checkAt, invalid, plainOf } from "../node.ts";
import { exceptKeys, policyExceptionKeys, ruleWhenKeys } from "./keys.ts";
import { readConditionValue } from "./read-policy.ts";
import type { RuleSource } from "./policy-config.ts";

/** Where a rule that stands elsewhere does not count. */
export interface SourcedException {
  readonly rule: string;
  readonly exception: RuleException;
  readonly source: RuleSource;
}

type Fields = Readonly<Record<string, Placed<unknown> | undefined>>;

/** `except:` of a rule: a list, or one alone. */
export function readExceptions(file: string, node: ConfigNode, names: PathNames): RuleException[] {
  return itemsOf(file, node).map((item) =>
    readException(file, item, fieldsOf(file, item, exceptKeys), names),
  );
}

/** `policy_exceptions` of the user's file. */
export function readPolicyExceptions(file: string, node: ConfigNode, names: PathNames): SourcedException[] {
  return itemsOf(file, node).map((item) => {
    const { rule, ...fields } = fieldsOf(file, item, policyExceptionKeys);
    return {
      rule: String(rule?.value),
      exception: readException(file, item, fields, names),
      source: { file, ...item.at },
    };
  });
}

function itemsOf(file: string, node: ConfigNode): readonly ConfigNode[] {
  if (node.kind === "scalar" && node.value === null) return [];
  const items = node.kind === "list" ? node.items : [node];
  if (items.length <= configLimits.rules) return items;
  throw invalid(file, node.at, `more than ${configLimits.rules} exceptions, expected fewer`);
}

function fieldsOf(file: string, node: ConfigNode, keys: ConfigFields): Fields {
  return readFields(file, node, "the exception", keys);
}

function readException(file: string, node: ConfigNode, fields: Fields, names: PathNames): RuleException {
  const { line, input, folder, until, reason, ...conditions } = fields;
  const when = Object.fromEntries(
    Object.entries(conditions).flatMap(([key, field]) =>
      field === undefined || !(key in ruleWhenKeys)
        ? []
        : [[key, readConditionValue(file, key as ConditionKey, field)]],
    ),
  ) as RuleWhen;
  const exception: RuleException = {
    when,
    line: (line?.value as string | undefined) ?? null,
    input: input === undefined ? null : readInput(file, input.value as ConfigNode),
    folder: (folder?.value as string | undefined) ?? null,
    until: (until?.value as string | undefined) ?? null,
    reason: (reason?.value as string | undefined) ?? null,
  };
  if (folder !== undefined && !isAbsolute(String(folder.value)))
    throw invalid(file, folder.at, `folder is ${show(folder.value)}, expected an absolute path`);
  if (until !== undefined && Number.isNaN(Date.parse(String(until.value))))
    throw invalid(file, until.at, `until is ${show(until.value)}, expected a time as 2026-12-31T12:00:00Z`);
  if (Object.keys(when).length === 0 && line === undefined && input === undefined && folder === undefined)
    throw invalid(file, node.at, "the exception is of everything, expected a condition that narrows it");
  checkAt(file, node.at, () => compileException(exception, names));
  return exception;
}

function readInput(file: string, node: ConfigNode): Readonly<Record<string, unknown>> {
  if (node.kind !== "map") throw invalid(file, node.at, "input is no map, expected the tool's arguments");
  return plainOf(node) as Readonly<Record<string, unknown>>;
}
