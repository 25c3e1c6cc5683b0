import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, refusal } from "./harness.cases.ts";

const text = `pipelines:
  fraud:
    data: { pattern: "data/*.csv" }
    max_parallel: 3
    steps:
      train:
        run: node train.mjs --fast
        needs: [prepare]
        inputs: [build/features.csv, "params/**"]
        outputs: [./build/model.json]
        environment: { SEED: "7" }
        timeout_s: 60
        retries: 2
        metrics: build/metrics.json
      prepare: { run: [node, prepare.mjs], files: [lib], outputs: [build/features.csv] }
`;

test("pipelines are read with their places and defaults, each step after those it needs", () => {
  const { pipelines } = parse(text, { owner: "project" });
  const nothing = { needs: [], inputs: [], environment: {}, retries: 0, metrics: null };
  assert.deepEqual(pipelines, [
    {
      name: "fraud",
      source: { file: "swarm.yaml", line: 2, column: 3 },
      folder: ".",
      model: "fraud",
      data: { pattern: "data/*.csv" },
      maxParallel: 3,
      steps: [
        {
          name: "prepare",
          run: ["node", "prepare.mjs"],
          ...nothing,
          files: ["lib"],
          outputs: ["build/features.csv"],
          timeoutMs: 3_600_000,
        },
        {
          name: "train",
          run: "node train.mjs --fast",
          needs: ["prepare"],
          inputs: ["build/features.csv", "params/**"],
          outputs: ["build/model.json", "build/metrics.json"],
          files: [],
          environment: { SEED: "7" },
          timeoutMs: 60_000,
          retries: 2,
          metrics: "build/metrics.json",
        },
      ],
    },
  ]);
  assert.deepEqual(parse("pipelines:\n").pipelines, []);
});

const steps = (written: string) =>
  refusal(`pipelines:\n  fraud:\n    steps:\n      ${written}\n`, { owner: "project" });
const pipeline = (written: string) =>
  refusal(`pipelines:\n  fraud: { ${written}, steps: { a: { run: x } } }\n`);

test("steps that need each other are named as the circle they are", () => {
  const needing = (name: string, need: string) => `${name}: { run: x, needs: [${need}] }`;
  const circle = [needing("a", "b"), needing("b", "c"), needing("c", "b")].join("\n      ");
  assert.equal(steps(circle), "5:27: steps need each other: b → c → b, expected no circle");
  assert.equal(
    steps("prepare: { run: x }\n      train: { run: x, needs: [prepar] }"),
    '5:31: step train needs "prepar", expected another step, did you mean "prepare"?',
  );
  assert.equal(steps(needing("a", "a")), '4:27: step a needs "a", expected another step');
});

test("what is wrong with a step is told with its place", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["a: { run: x, output: [b] }", /^4:20: unknown key "output" in step a, did you mean "outputs"\?/],
    ["a: { needs: [] }", /^4:10: step a has no run, expected a line for the shell/],
    ["a: { run: [] }", /^4:17: run is a list, expected a line for the shell/],
    ['a: { run: " " }', /^4:17: run is " ", expected/],
    ["a: { run: [node, 7] }", /^4:24: run has 7, expected texts/],
    ["a: { run: x, outputs: [../b] }", /^4:29: "\.\.\/b" is no output, expected a path below the folder/],
    ["a: { run: x, outputs: [/b] }", /is no output/],
    ["a: { run: x, outputs: [./] }", /is no output/],
    ["a: { run: x, metrics: ../m.json }", /^4:29: .*is no output/],
    ["a: { run: x, inputs: [/etc/*] }", /^4:28: inputs has "\/etc\/\*", expected paths from/],
    ["a: { run: x, inputs: [a/../b] }", /^4:28: /],
    ["a: { run: x, timeout_s: 0 }", /^4:31: timeout_s is 0, expected a number from/],
    ["a: { run: x, environment: { SWARM_HOME: y } }", /environment has "SWARM_HOME", expected a name/],
    ["a b: { run: x }", /^4:7: step "a b" is not a name/],
    ["a: { run: x, outputs: [o] }\n      b: { run: y, outputs: [./o] }", /^5:7: steps a and b both make "o"/],
  ];
  for (const [written, problem] of cases) assert.match(steps(written), problem, written);
  assert.match(
    refusal("pipelines: { a: { cwd: /, steps: {} } }"),
    /steps of pipeline a is a map, expected a map of steps/,
  );
  assert.match(refusal("pipelines: [a]"), /^1:12: pipelines is a list, expected a map/);
});

test("a pipeline says where it runs in the user's file alone, and where its data come from in one way", () => {
  assert.match(pipeline("model: m"), /^2:3: pipeline fraud has no cwd, expected the folder its steps run in/);
  assert.match(pipeline("cwd: here"), /cwd is "here", expected an absolute path/);
  assert.match(
    refusal("pipelines: { a: { cwd: /, steps: { a: { run: x } } } }", { owner: "project" }),
    /^1:19: cwd is the user's to set/,
  );
  assert.match(pipeline("cwd: /, data: {}"), /data of pipeline fraud has no pattern and no command/);
  assert.match(pipeline("cwd: /, data: { pattern: a, command: b }"), /both given/);
  assert.match(pipeline("cwd: /, data: { pattern: a/../b }"), /expected a path without/);
  assert.match(pipeline("cwd: /, model: a/b"), /model "a\/b" is not a name/);
  assert.match(
    refusal("pipelines: {}", { owner: { plugin: "p", root: "/p" } }),
    /^1:1: pipelines belongs in the user's config\.yaml/,
  );
});
