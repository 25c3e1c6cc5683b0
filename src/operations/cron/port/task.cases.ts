import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { SwarmError } from "../../../base/errors.ts";
import { checkConfig } from "../../../engine/events/check-fields.ts";
import { fits, type JsonObject } from "../../../engine/events/schema.ts";
import type { TaskCall, TaskKind } from "./task.ts";

/** A kind of task and configurations of it. */
export interface TaskCase {
  readonly name: string;
  /** Makes one for a test, with all it needs. */
  kind(t: TestContext): TaskKind;
  readonly folder: (t: TestContext) => string;
  /** Ends well. */
  readonly completes: JsonObject;
  /** Starts and fails; null where only what is around it can fail. */
  readonly fails: JsonObject | null;
  /** Would take for ever; null for a kind that is over at once. */
  readonly endless: JsonObject | null;
  /** What must not be accepted, with the option that is wrong. */
  readonly refused: readonly (readonly [config: JsonObject, option: string])[];
}

/** A call as the scheduler makes it, and what was printed. */
export function taskCall(cwd: string, changes: Partial<TaskCall> = {}) {
  let printed = "";
  const call: TaskCall = {
    job_id: "cj_1",
    run_id: "cr_1",
    name: "nightly",
    scheduled_at: "2026-01-02T03:00:00.000Z",
    attempt: 1,
    cwd,
    timeoutMs: 600_000,
    signal: new AbortController().signal,
    print: (output) => {
      printed += output.toString();
    },
    ...changes,
  };
  return { call, printed: () => printed };
}

/** What every kind of task runs in full. */
export function taskCases({ name, kind, folder, completes, fails, endless, refused }: TaskCase): void {
  suite(`task ${name}`, () => {
    test("says what it is and what each field is for", (t) => {
      const { doc, fields } = kind(t);
      assert.match(doc, /^[A-Z].*\.$/);
      for (const [field, { doc: about }] of Object.entries(fields)) assert.match(about, /^[A-Z].*\.$/, field);
    });

    test("takes a good configuration", (t) => {
      const { fields, check } = kind(t);
      for (const [key, value] of Object.entries(completes)) {
        assert.ok(fields[key] !== undefined && fits(fields[key], value), key);
      }
      assert.equal(check?.(completes) ?? null, null);
    });

    test("refuses a bad configuration, and names the option", (t) => {
      for (const [config, option] of refused) {
        assert.throws(
          () => checkConfig("task", kind(t), config),
          (error) => error instanceof SwarmError && (error.params as { option?: string }).option === option,
          JSON.stringify(config),
        );
      }
    });

    test("tells what it would do, and does nothing of it", async (t) => {
      const { plan } = kind(t);
      const lines = (await plan?.(completes, folder(t))) ?? ["nothing to tell"];
      assert.notEqual(lines.length, 0);
      for (const line of lines) assert.match(line, /^[^\n]+$/);
    });

    test("ends well, prints what it did, and leaves its configuration alone", async (t) => {
      const { call, printed } = taskCall(folder(t));
      const frozen = Object.freeze(structuredClone(completes));
      const { problem } = await kind(t).run(frozen, call);
      assert.equal(problem, null, printed());
      assert.notEqual(printed(), "");
    });

    if (fails !== null) {
      test("tells why it failed, and never fails with an exit code of 0", async (t) => {
        const { exitCode, problem } = await kind(t).run(fails, taskCall(folder(t)).call);
        assert.ok(problem !== null && problem !== "");
        assert.notEqual(exitCode, 0);
      });
    }

    if (endless !== null) {
      test("lets go when its signal is aborted, before it starts or while it runs", async (t) => {
        for (const isEarly of [true, false]) {
          const abort = new AbortController();
          const print = () => abort.abort();
          if (isEarly) abort.abort();
          const { problem } = await kind(t).run(
            endless,
            taskCall(folder(t), { signal: abort.signal, print }).call,
          );
          assert.notEqual(problem, null);
        }
      });
    }
  });
}
