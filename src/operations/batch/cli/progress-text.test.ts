import assert from "node:assert/strict";
import { test } from "node:test";
import { type BatchStatus, barText, endText, progressText } from "./progress-text.ts";

const run = {
  run_id: "r1",
  state: "running",
  reason: null,
  done_count: 1_234_560,
  failed_count: 0,
  input_bytes: 50,
  input_size: 100,
  duration_s: 2,
  rate_per_s: 617_280.4,
  eta_s: 3_725.2,
  output: "/out",
  drift: null,
  can_resume: false,
} as BatchStatus;

test("a bar has as much of it full as the run has come, with count, rate and time left", () => {
  const half = `[${"#".repeat(12)}${"-".repeat(12)}]`;
  assert.equal(barText(run), `${half} 50 % 1,234,560 records, 617,280/s, 1:02:06 left`);
  const some = { ...run, done_count: 7, failed_count: 3, rate_per_s: null, eta_s: 9 };
  assert.equal(progressText(some), "50 % 10 records, 3 failed, 0:09 left");
});

test("of an input of unknown size there is no share", () => {
  const text = barText({ ...run, input_size: null, eta_s: null, rate_per_s: 2 });
  assert.equal(text, "1,234,560 records, 2/s");
});

test("one that waits says for what, in one line whatever the reason holds", () => {
  assert.equal(
    progressText({ ...run, state: "waiting_approval", reason: "costs\nmoney\u001b[2J" }),
    "waits: costs money [2J",
  );
});

test("an end that is none says how to go on", () => {
  const ended = { ...run, state: "failed", reason: "no room", eta_s: null, can_resume: true } as const;
  assert.equal(
    endText(ended),
    "r1 failed: no room\n1,234,560 done, 0 failed, 2.0 s\nresults: /out/results.jsonl\ngo on with: swarm batch resume r1\n",
  );
});

test("an end with failed records says where they are, and offers no resume that would not try them again", () => {
  const counts = { done_count: 2, failed_count: 3, reason: "3 of 5 records failed, see errors.jsonl" };
  const text = endText({ ...run, ...counts, state: "completed_with_errors", eta_s: null, can_resume: false });
  assert.equal(
    text,
    "r1 completed_with_errors: 3 of 5 records failed, see errors.jsonl\n2 done, 3 failed, 2.0 s\nresults: /out/results.jsonl\nerrors: /out/errors.jsonl, by class: swarm batch report r1\n",
  );
});

test("a run whose data were compared says what was found, and where to read it", () => {
  const message = "drift: amount KS 0.6 over 0.15";
  const drift = { check_id: "dr_1", checked_at: "2026-01-01T00:00:00.000Z", is_drift: true, message };
  const text = endText({ ...run, state: "completed", drift });
  assert.match(text, /\ndrift: amount KS 0\.6 over 0\.15 \(swarm drift show dr_1\)\n$/);
});
