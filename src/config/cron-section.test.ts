import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, problemOf } from "./harness.cases.ts";
import { parseConfigText } from "./parse.ts";
import type { Owner } from "./reading.ts";

const text = `cron:
  - name: backup
    schedule: "@daily"
    task: custom
    config: { command: "./backup.sh", list: [1, two, { three: null }] }
  - { name: sweep, schedule: every 6h, task: retention, retries: 2, approval_required: true }
`;

test("jobs of the user's file are read with their places, every value as it was written", () => {
  const { cron, skipped } = parseConfigText("config.yaml", text, { owner: "user", env: {} });
  assert.deepEqual(cron, [
    {
      source: { file: "config.yaml", line: 2, column: 5 },
      settings: {
        name: "backup",
        schedule: "@daily",
        task: "custom",
        config: { command: "./backup.sh", list: [1, "two", { three: null }] },
      },
    },
    {
      source: { file: "config.yaml", line: 6, column: 5 },
      settings: {
        name: "sweep",
        schedule: "every 6h",
        task: "retention",
        retries: 2,
        approval_required: true,
      },
    },
  ]);
  assert.deepEqual(skipped, []);
});

test("a project's file has jobs that run in its folder, a plugin's has none", () => {
  const { cron } = parseConfigText("swarm.yaml", text, { owner: "project", env: {} });
  assert.deepEqual(
    cron.map(({ source, settings }) => [source.line, settings.name]),
    [
      [2, "backup"],
      [6, "sweep"],
    ],
  );
  const refusal = (from: string, to: string, owner: Owner = "project") =>
    problemOf(() => parseConfigText("swarm.yaml", text.replace(from, to), { owner, env: {} }));
  assert.match(refusal("retries: 2", "retries: two"), /swarm\.yaml:6:\d+: retries is "two"/);
  assert.match(refusal("retries: 2", "cwd: /"), /swarm\.yaml:6:\d+: cwd is the user's to set/);
  assert.match(refusal("", "", { plugin: "p", root: "/p" }), /1:1: cron belongs in the user's config\.yaml/);
});

test("what is wrong with a job is told with its place", () => {
  const problem = (job: string) => problemOf(() => parse(`cron:\n  - ${job}\n`));
  assert.match(
    problem("{ name: a, schedule: 1h, task: custom, config: x }"),
    /:2:\d+: config is "x", expected a map/,
  );
  assert.match(
    problem("{ name: a, schedule: 1h, tsk: custom }"),
    /unknown key "tsk" in the job, did you mean "task"/,
  );
  assert.match(problem("{ name: a, task: custom }"), /the job has no schedule/);
  const twice = "{ name: a, schedule: 1h, task: custom }\n  - { name: a, schedule: 2h, task: custom }";
  assert.match(problem(twice), /:3:\d+: job a is declared twice/);
  assert.match(
    problemOf(() => parse("cron: soon\n")),
    /cron is "soon", expected a list of jobs/,
  );
  const many = Array.from(
    { length: 1_001 },
    (_, count) => `  - { name: j${count}, schedule: 1h, task: custom }`,
  );
  assert.match(
    problemOf(() => parse(`cron:\n${many.join("\n")}\n`)),
    /more than 1000 jobs/,
  );
});
