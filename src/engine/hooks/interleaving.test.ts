import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createHooks, deny } from "../../index.ts";
import { manualClock } from "../testing/index.ts";

/**
 * Random programs of registering, removing, emitting and letting handlers go on, run against the engine and against
 * a model of what the design says about it: an event calls the hooks that were there when it was emitted, in order,
 * except those removed before their turn; hooks added meanwhile wait for the next event.
 */
interface Registration {
  readonly priority: number;
  readonly mode: "transform" | "guard" | "observe";
  readonly match: string;
  readonly denies: boolean;
  readonly onDenied: boolean;
  /** Answers only when its gate is opened. */
  readonly isGated: boolean;
  readonly act: Act;
}

/** What a handler does to the engine that is calling it. */
type Act =
  | { readonly does: "nothing" }
  | { readonly does: "remove"; readonly index: number }
  | { readonly does: "remove itself" }
  | { readonly does: "register"; readonly hook: Registration }
  | { readonly does: "emit"; readonly tool: string };

type Command =
  | { readonly does: "register"; readonly hook: Registration }
  | { readonly does: "remove"; readonly index: number }
  | { readonly does: "emit"; readonly tool: string }
  | { readonly does: "open"; readonly index: number };

/** What both sides are asked to do; `depth` keeps events emitted by handlers from emitting for ever. */
interface Side {
  register(hook: Registration): void;
  remove(index: number): void;
  emit(tool: string, depth: number): void;
}

interface Gate {
  readonly label: string;
  open(): void;
}

/** What can be compared after each command. */
interface Seen {
  readonly calls: readonly string[];
  readonly gates: readonly string[];
  readonly verdicts: Readonly<Record<string, string>>;
  readonly list: readonly string[];
}

const tools = fc.constantFrom("read", "write");

const registration = (act: fc.Arbitrary<Act>): fc.Arbitrary<Registration> =>
  fc.record({
    priority: fc.integer({ min: -1, max: 1 }),
    mode: fc.constantFrom("transform", "transform", "guard", "observe"),
    match: fc.constantFrom("*", "*", "read", "w*|x"),
    denies: fc.nat({ max: 5 }).map((number) => number === 5),
    onDenied: fc.boolean(),
    isGated: fc.boolean(),
    act,
  });

const idle: fc.Arbitrary<Act> = fc.constant({ does: "nothing" });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: idle },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("remove"), index: fc.nat({ max: 10 }) }) },
  { weight: 1, arbitrary: fc.constant({ does: "remove itself" } as const) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("register"), hook: registration(idle) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("emit"), tool: tools }) },
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("register"), hook: registration(act) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("remove"), index: fc.nat({ max: 10 }) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("emit"), tool: tools }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("open"), index: fc.nat({ max: 10 }) }) },
);

test("hooks come and go while events are under way, and each event calls exactly those it should", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 40, size: "max" }), async (program) => {
      const real = new Real();
      const model = new Model();
      for (const step of program) {
        if (step.does === "open" && model.gates.length === 0) continue;
        for (const side of [real, model]) {
          if (step.does === "register") side.register(step.hook);
          else if (step.does === "remove") side.remove(step.index);
          else if (step.does === "emit") side.emit(step.tool, 0);
          else side.open(step.index);
          await side.settle();
        }
        assert.deepEqual(real.seen(), model.seen());
      }
      while (model.gates.length > 0) {
        for (const side of [real, model]) {
          side.open(0);
          await side.settle();
        }
      }
      assert.deepEqual(real.seen(), model.seen());
      assert.equal(Object.keys(real.seen().verdicts).length, model.emitted, "every event came to an end");
      await real.close();
    }),
    { numRuns: 1_500 },
  );
});

/** The same acts for both sides, in the same order. */
function perform(side: Side, { act }: Registration, itself: number, depth: number): void {
  if (act.does === "remove") side.remove(act.index);
  else if (act.does === "remove itself") side.remove(itself);
  else if (act.does === "register") side.register(act.hook);
  else if (act.does === "emit" && depth === 0) side.emit(act.tool, 1);
}

class Real implements Side {
  readonly #clock = manualClock();
  readonly #hooks = createHooks({ clock: this.#clock, log: { warn: () => undefined } });
  readonly #undos: (() => void)[] = [];
  readonly #calls: string[] = [];
  readonly #verdicts: Record<string, string> = {};
  #gates: Gate[] = [];
  #emitted = 0;

  register(hook: Registration): void {
    const { priority, mode, match, onDenied } = hook;
    const index = this.#undos.length;
    const options = { name: `hook ${index}`, priority, mode, match };
    const undo = this.#hooks.on(
      "tool.before",
      mode === "observe" ? { ...options, onDenied } : options,
      ({ tool_input }) => {
        const { run, depth } = tool_input as { run: number; depth: number };
        const label = `hook ${index} for event ${run}`;
        this.#calls.push(label);
        const answer = hook.denies && mode !== "observe" ? deny("no") : undefined;
        const { promise, resolve } = Promise.withResolvers<typeof answer>();
        if (hook.isGated) this.#gates.push({ label, open: () => resolve(answer) });
        perform(this, hook, index, depth);
        return hook.isGated ? promise : answer;
      },
    );
    this.#undos.push(undo);
  }

  remove(index: number): void {
    this.#undos[index]?.();
  }

  emit(tool: string, depth: number): void {
    const run = ++this.#emitted;
    const emitted = this.#hooks.emit("tool.before", { tool_name: tool, tool_input: { run, depth } });
    void Promise.resolve(emitted).then(({ decision }) => {
      this.#verdicts[`event ${run}`] = decision.verdict;
    });
  }

  open(index: number): void {
    const [gate] = this.#gates.splice(index % this.#gates.length, 1);
    gate?.open();
  }

  async settle(): Promise<void> {
    // Observers run a turn later; what they emit may have observers of its own.
    for (let turns = 0; turns < 4; turns++) await new Promise((resolve) => setImmediate(resolve));
  }

  seen(): Seen {
    return {
      calls: this.#calls,
      gates: this.#gates.map(({ label }) => label),
      verdicts: this.#verdicts,
      list: this.#hooks.list().map(({ name }) => name),
    };
  }

  async close(): Promise<void> {
    await this.#hooks.close();
    assert.equal(this.#clock.pendingTimers, 0, "a timer was left behind");
  }
}

interface ModelHook extends Registration {
  readonly index: number;
  isActive: boolean;
}

interface ModelRun {
  readonly number: number;
  readonly depth: number;
  readonly plan: readonly ModelHook[];
  isOver: boolean;
}

class Model implements Side {
  readonly #hooks: ModelHook[] = [];
  readonly #calls: string[] = [];
  readonly #verdicts: Record<string, string> = {};
  readonly #observations: (() => void)[] = [];
  gates: Gate[] = [];
  emitted = 0;

  register(hook: Registration): void {
    this.#hooks.push({ ...hook, index: this.#hooks.length, isActive: true });
  }

  remove(index: number): void {
    const hook = this.#hooks[index];
    if (hook !== undefined) hook.isActive = false;
  }

  emit(tool: string, depth: number): void {
    const matches = ({ match }: ModelHook) => match === "*" || (match === "read") === (tool === "read");
    const plan = this.#inOrder().filter(matches);
    this.#runTransforms({ number: ++this.emitted, depth, plan, isOver: false }, 0);
  }

  open(index: number): void {
    const [gate] = this.gates.splice(index % this.gates.length, 1);
    gate?.open();
  }

  async settle(): Promise<void> {
    for (let next = this.#observations.shift(); next; next = this.#observations.shift()) next();
  }

  seen(): Seen {
    return {
      calls: this.#calls,
      gates: this.gates.map(({ label }) => label),
      verdicts: this.#verdicts,
      list: ["transform", "guard", "observe"].flatMap((mode) =>
        this.#inOrder()
          .filter((hook) => hook.mode === mode)
          .map(({ index }) => `hook ${index}`),
      ),
    };
  }

  #inOrder(): ModelHook[] {
    return this.#hooks.filter(({ isActive }) => isActive).toSorted((a, b) => b.priority - a.priority);
  }

  #runTransforms(run: ModelRun, from: number): void {
    const transforms = run.plan.filter(({ mode }) => mode === "transform");
    for (const [at, hook] of transforms.entries()) {
      if (at < from || !hook.isActive) continue;
      const goOn = () => (hook.denies ? this.#finish(run, "deny") : this.#runTransforms(run, at + 1));
      this.#call(run, hook, goOn);
      if (!hook.isGated && hook.denies) this.#finish(run, "deny");
      if (hook.isGated || hook.denies) return;
    }
    this.#runGuards(run);
  }

  #runGuards(run: ModelRun): void {
    const waitingFor = new Set<ModelHook>();
    let haveAllStarted = false;
    for (const hook of run.plan) {
      if (hook.mode !== "guard" || !hook.isActive) continue;
      this.#call(run, hook, () => {
        waitingFor.delete(hook);
        if (hook.denies) this.#finish(run, "deny");
        else if (haveAllStarted && waitingFor.size === 0) this.#finish(run, "none");
      });
      if (hook.isGated) waitingFor.add(hook);
      else if (hook.denies) this.#finish(run, "deny");
      if (run.isOver) return;
    }
    haveAllStarted = true;
    if (waitingFor.size === 0) this.#finish(run, "none");
  }

  #finish(run: ModelRun, verdict: string): void {
    if (run.isOver) return;
    run.isOver = true;
    this.#verdicts[`event ${run.number}`] = verdict;
    for (const hook of run.plan) {
      if (hook.mode !== "observe" || (verdict === "deny" && !hook.onDenied)) continue;
      this.#observations.push(() => {
        if (hook.isActive) this.#call(run, hook, () => undefined);
      });
    }
  }

  #call(run: ModelRun, hook: ModelHook, goOn: () => void): void {
    const label = `hook ${hook.index} for event ${run.number}`;
    this.#calls.push(label);
    if (hook.isGated) this.gates.push({ label, open: goOn });
    perform(this, hook, hook.index, run.depth);
  }
}
