import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { checkConfig } from "../../engine/events/check-fields.ts";
import { driftFields, driftProblem, driftSettings } from "./settings.ts";

const kind = { fields: driftFields, check: driftProblem };

test("the example of the first document is taken as it stands", () => {
  const config = { baseline_run_id: "abc123", window_hours: 24 };
  assert.equal(driftProblem(config), null);
  const { baseline, window, windowHours, thresholds, minRows } = driftSettings(config);
  assert.deepEqual([baseline, window, windowHours, minRows], ["abc123", null, 24, 10]);
  assert.deepEqual(thresholds, { ks: 0.15, psi: 0.2, chi2_p: 0, missing: 0.1, new_categories: 0.05 });
});

test("what is wrong is told by the option it is wrong in", () => {
  const base = { baseline: "b", window: "w.csv" };
  const wrong: readonly (readonly [object, string])[] = [
    [{}, "baseline"],
    [{ window: "w.csv" }, "baseline"],
    [{ baseline: "b", baseline_run_id: "r" }, "baseline_run_id"],
    [{ baseline: "a.csv" }, "window"],
    [{ baseline: "dir/data" }, "window"],
    [{ baseline_run_id: "../../etc" }, "baseline_run_id"],
    [{ ...base, window_run_id: "r" }, "window_run_id"],
    [{ ...base, window: "" }, "window"],
    [{ ...base, window: "a\nb.csv" }, "window"],
    [{ ...base, window_hours: 0 }, "window_hours"],
    [{ ...base, window_hours: -1 }, "window_hours"],
    [{ ...base, alert_threshold: 1.5 }, "alert_threshold"],
    [{ ...base, psi_threshold: -1 }, "psi_threshold"],
    [{ ...base, missing_threshold: 2 }, "missing_threshold"],
    [{ ...base, min_rows: 0 }, "min_rows"],
    [{ ...base, thresholds: { amount: 0.1 } }, "thresholds"],
    [{ ...base, thresholds: { amount: { ksx: 0.1 } } }, "thresholds"],
    [{ ...base, thresholds: { amount: { ks: "0.1" } } }, "thresholds"],
    [{ ...base, thresholds: { amount: { ks: 2 } } }, "thresholds"],
  ];
  for (const [config, option] of wrong)
    assert.throws(
      () => checkConfig("check", kind, config as never),
      (error) => error instanceof SwarmError && (error.params as { option?: string }).option === option,
      JSON.stringify(config),
    );
  checkConfig("check", kind, { ...base, thresholds: { amount: { ks: 0.1, psi: 3 } }, window_hours: 0.5 });
});

test("a model's baseline has its name, and its version in it", () => {
  assert.equal(driftSettings({ model: "fraud" }).baseline, "fraud");
  assert.equal(driftSettings({ model: "fraud", version: "1.2" }).baseline, "fraud-1_2");
  assert.equal(driftSettings({ model: "fraud" }).windowHours, 24);
  assert.equal(driftSettings({ model: "fraud", window: "w.csv" }).windowHours, null);
});
