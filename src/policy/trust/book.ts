import type { IgnoredProject, TrustChange, TrustDecisions, TrustedHook } from "./port/trust-store.ts";

/** What was decided about projects, at hand for every event. The store has the same. */
export class TrustBook {
  readonly #trusted = new Map<string, ReadonlyMap<string, TrustedHook>>();
  readonly #ignored = new Map<string, IgnoredProject>();
  readonly #doubted: Set<string>;

  constructor({ trusted, ignored, doubted = [] }: TrustDecisions) {
    this.#doubted = new Set(doubted);
    for (const file of new Set(trusted.map((hook) => hook.file)))
      this.#approve(
        file,
        trusted.filter((hook) => hook.file === file),
      );
    for (const project of ignored) this.#ignored.set(project.file, project);
  }

  approvalOf(file: string, hookId: string): TrustedHook | undefined {
    return this.#trusted.get(file)?.get(hookId);
  }

  approvedIn(file: string): readonly TrustedHook[] {
    return [...(this.#trusted.get(file)?.values() ?? [])];
  }

  /** The hooks that were approved there and deny when they fail. */
  guardsIn(file: string): readonly TrustedHook[] {
    return this.approvedIn(file).filter(({ is_guard }) => is_guard);
  }

  ignoranceOf(file: string): IgnoredProject | undefined {
    return this.#ignored.get(file);
  }

  /** Whether something was decided here that is known no more: somebody has changed the store. */
  isDoubted(file: string): boolean {
    return this.#doubted.has(file);
  }

  /** Every project something was decided about. */
  files(): readonly string[] {
    return [...new Set([...this.#trusted.keys(), ...this.#ignored.keys()])].sort();
  }

  /** Digests of everything that is approved. */
  digests(): ReadonlySet<string> {
    return new Set(this.files().flatMap((file) => this.approvedIn(file).map(({ digest }) => digest)));
  }

  apply(change: TrustChange): void {
    const file = change.kind === "trust_ignored" ? change.row.file : change.file;
    this.#trusted.delete(file);
    this.#ignored.delete(file);
    this.#doubted.delete(file);
    if (change.kind === "trust_ignored") this.#ignored.set(file, change.row);
    else if (change.kind === "trust_approved" && change.hooks.length > 0) this.#approve(file, change.hooks);
  }

  #approve(file: string, hooks: readonly TrustedHook[]): void {
    this.#trusted.set(file, new Map(hooks.map((hook) => [hook.hook_id, hook])));
  }
}
