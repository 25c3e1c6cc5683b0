import { basename, dirname, resolve } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { show } from "../../base/show.ts";
import { suggest } from "../../base/suggest.ts";
import { compileException } from "../../policy/rules/exception.ts";
import type { PathNames } from "../../policy/rules/files/path-globs.ts";
import { makePolicy, type Policy } from "../../policy/rules/policy.ts";
import { readDocument } from "../document.ts";
import { readFields } from "../fields.ts";
import { configLimits } from "../limits.ts";
import { fileKeys } from "../keys.ts";
import { type ConfigNode, didYouMean, invalid, type Position } from "../node.ts";
import type { ProjectFiles } from "../project-files.ts";
import { readConfigFile } from "../read-file.ts";
import { expectConfiguration } from "../unquoted.ts";
import { policyKeys } from "./keys.ts";
import { noPolicy, type PolicyConfig, type PolicyTest, type SourcedRule } from "./policy-config.ts";
import type { SourcedException } from "./read-exceptions.ts";
import { type PolicyReading, type PolicySection, readPolicy } from "./read-policy.ts";
import { isShipped, parsedFileOf, shippedDocument, shippedPolicies, shippedPolicy } from "./shipped.ts";

/** `policy:` of one file. */
export interface DeclaredPolicy {
  readonly file: string;
  /** Null: the user's own, which may use any file. */
  readonly project: ProjectFiles | null;
  readonly node: ConfigNode;
}

/** The policies of all files as one; what they use is read with them. */
export function loadPolicy(
  declared: readonly DeclaredPolicy[],
  names: PathNames,
  exceptions: readonly SourcedException[] = [],
): PolicyConfig {
  const collected = new Collector(names);
  const sections = declared.map(({ file, project, node }) => {
    const before = collected.count;
    const section = collected.add({ file, project, mayAllow: project === null, names }, node, 0);
    const [first] = project === null ? [] : section.disabled;
    if (first !== undefined) {
      const problem = "disable belongs in the user's config.yaml, a project's file may only add rules";
      throw invalid(file, first.at, problem);
    }
    return { file, section, hasRules: collected.count > before };
  });
  return collected.result(sections, exceptions);
}

/** A policy file by itself: for `swarm policy check FILE` and `swarm policy test FILE`. */
export function loadPolicyFile(file: string, names: PathNames): PolicyConfig {
  const collected = new Collector(names);
  const text = readConfigFile(file);
  if (text === null)
    throw new SwarmError("SWARM_CONFIG_UNREADABLE", { file, problem: "there is no such file" });
  const root = readDocument(file, text);
  if (root === null) return noPolicy;
  const { node, mayAllow } = policyIn(file, root);
  if (node === null) return noPolicy;
  const section = collected.add({ file, project: null, mayAllow, names }, node, 0);
  return collected.result([{ file, section, hasRules: collected.count > 0 }]);
}

/** A policy is a file of its own, or stands under `policy:` of one that has hooks as well. */
function policyIn(file: string, root: ConfigNode): { node: ConfigNode | null; mayAllow: boolean } {
  const keys = root.kind === "map" ? root.entries.map(({ key }) => key) : [];
  if (root.kind !== "map" || ["rules", "use", "tests"].some((key) => keys.includes(key))) {
    expectConfiguration(file, root, policyKeys, "rules or use");
    return { node: root, mayAllow: true };
  }
  expectConfiguration(file, root, { ...policyKeys, ...fileKeys }, "policy or rules");
  const { policy } = readFields(file, root, "the file", {
    ...fileKeys,
    ...policyKeys,
    policy: fileKeys.policy,
  });
  return { node: policy?.value ?? null, mayAllow: basename(file) !== "swarm.yaml" };
}

/** Single rules of a policy that comes with the package; null when it has none of them. */
export function loadShippedRules(name: string, ids: readonly string[], names: PathNames): Policy | null {
  const root = shippedDocument(name);
  if (root === null) return null;
  const { rules } = readPolicy(
    { file: shippedPolicy(name).file, project: null, mayAllow: false, names },
    root,
  );
  const wanted = rules.filter(({ rule }) => ids.includes(rule.id));
  return wanted.length === 0 ? null : makePolicy(wanted);
}

/** The user's own exceptions are added to the rule's; those of rules that are not here concern another project. */
function withExceptions(
  sourced: SourcedRule,
  exceptions: readonly SourcedException[],
  names: PathNames,
): SourcedRule {
  const { rule, excepts = [] } = sourced;
  const added = exceptions.flatMap((each) => (each.rule === rule.id ? each.exception : []));
  if (added.length === 0) return sourced;
  return {
    ...sourced,
    rule: { ...rule, except: [...(rule.except ?? []), ...added] },
    excepts: [...excepts, ...added.map((exception) => compileException(exception, names))],
  };
}

class Collector {
  readonly #names: PathNames;
  readonly #rules = new Map<string, SourcedRule>();
  readonly #tests: PolicyTest[] = [];
  readonly #used = new Set<string>();
  readonly #files = new Set<string>();
  readonly #shippedFiles: string[] = [];
  readonly #disabled = new Set<string>();

  constructor(names: PathNames) {
    this.#names = names;
  }

  add(reading: PolicyReading, node: ConfigNode, depth: number): PolicySection {
    const section = readPolicy(reading, node);
    for (const { name, at } of section.uses) this.#use(reading, name, at, depth);
    for (const rule of section.rules) this.#addRule(rule);
    this.#tests.push(...section.tests);
    return section;
  }

  /** Rules so far. */
  get count(): number {
    return this.#rules.size;
  }

  result(
    sections: readonly {
      readonly file: string;
      readonly section: PolicySection;
      readonly hasRules: boolean;
    }[],
    exceptions: readonly SourcedException[] = [],
  ): PolicyConfig {
    const [tests, files] = [[...this.#tests], [...this.#files]];
    if (this.#rules.size === 0) return { ...noPolicy, tests, files, shippedFiles: this.#shippedFiles };
    this.#addOwn();
    for (const { file, section } of sections) this.#disable(file, section);
    const rules = [...this.#rules.values()].map((rule) => withExceptions(rule, exceptions, this.#names));
    const inForce = rules.filter(({ rule }) => !this.#disabled.has(rule.id));
    return {
      policy: inForce.length === 0 ? null : makePolicy(inForce),
      rules,
      tests,
      disabled: [...this.#disabled],
      declaredIn: sections.filter(({ hasRules }) => hasRules).map(({ file }) => file),
      files,
      shippedFiles: this.#shippedFiles,
    };
  }

  /** An agent that may approve its own calls, or rewrite the rules, has none: these come with every policy. */
  #addOwn(): void {
    const { file } = shippedPolicy("self");
    const root = this.#shipped("self");
    if (root !== null) this.add({ file, project: null, mayAllow: false, names: this.#names }, root, 0);
  }

  #shipped(name: string): ConfigNode | null {
    this.#shippedFiles.push(shippedPolicy(name).file, parsedFileOf(name));
    return shippedDocument(name);
  }

  #disable(file: string, { disabled }: PolicySection): void {
    for (const { id, at } of disabled) {
      if (!this.#rules.has(id)) {
        const near = didYouMean(suggest(id, this.#rules.keys()));
        throw invalid(file, at, `disable names ${show(id)}, expected the id of a rule${near}`);
      }
      this.#disabled.add(id);
    }
  }

  /** A file that is used twice counts once. */
  #use(reading: PolicyReading, name: string, at: Position, depth: number): void {
    const { file } = reading;
    if (depth >= configLimits.policyDepth)
      throw invalid(file, at, "policies use each other more than 8 deep, or in a circle");
    const used = this.#find(reading, name, at);
    if (this.#used.has(used.file)) return;
    this.#used.add(used.file);
    if (!isShipped(name)) this.#files.add(used.file);
    const root = isShipped(name) ? this.#shipped(name) : readDocument(used.file, used.text);
    if (root === null) return;
    expectConfiguration(used.file, root, policyKeys, "rules or use");
    const section = this.add({ ...reading, file: used.file }, root, depth + 1);
    const [first] = section.disabled;
    if (first !== undefined) throw invalid(used.file, first.at, "disable belongs in the user's config.yaml");
  }

  #find(
    { file, project }: PolicyReading,
    name: string,
    at: Position,
  ): { readonly file: string; readonly text: string } {
    if (isShipped(name)) return shippedPolicy(name);
    if (/^[\w-]+$/.test(name)) {
      const near = didYouMean(suggest(name, shippedPolicies));
      throw invalid(
        file,
        at,
        `there is no policy ${show(name)}, expected starter or a file such as ./policy.yaml${near}`,
      );
    }
    const used = resolve(
      dirname(file),
      name.replace(/^~(?=\/)/, () => this.#names.home),
    );
    // Asked before it is looked for: whether a file is there, outside, is nothing a project has to know.
    if (project?.has(used) === false) throw new SwarmError("SWARM_CONFIG_OUTSIDE", { file: used });
    const text = project === null ? readConfigFile(used) : project.read(used);
    if (text === null) throw invalid(file, at, `the policy ${show(used)} is not there`);
    return { file: used, text };
  }

  #addRule(rule: SourcedRule): void {
    const { id } = rule.rule;
    const known = this.#rules.get(id);
    if (known !== undefined) {
      const { file, line, column } = known.source;
      const problem = `rule ${show(id)} is already declared at ${file}:${line}:${column}, expected an id used once`;
      throw invalid(rule.source.file, rule.source, problem);
    }
    if (this.#rules.size >= configLimits.rules) {
      throw invalid(rule.source.file, rule.source, `more than ${configLimits.rules} rules, expected fewer`);
    }
    this.#rules.set(id, rule);
  }
}
