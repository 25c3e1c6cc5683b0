import assert from "node:assert/strict";
import { test } from "node:test";
import { PipelinePlace } from "./harness.cases.ts";

const files = (policy = "") => ({
  "swarm.yaml": `${policy}pipelines: { fraud: { data: { pattern: d.txt }, steps: { a: { run: cp d.txt out, outputs: [out] } } } }\n`,
  "d.txt": "1\n",
});

async function twoVersions(place: PipelinePlace): Promise<void> {
  await place.run();
  place.write("d.txt", "2\n");
  await place.run();
}

test("one version stands for a model at a stage, and every promotion is in the record", async (t) => {
  const place = await PipelinePlace.open(t, files());
  await twoVersions(place);
  const models = await place.models();
  assert.equal((await models.promote("fraud", 1, "production", "human:ann")).status, "promoted");
  await models.promote("fraud", 1, "staging", "human:ann");
  await models.promote("fraud", 2, "production", "human:bob");
  const [listed] = await models.list();
  assert.deepEqual(
    listed?.stages.map(({ stage, version, promoted_by, approved_by }) => [
      stage,
      version,
      promoted_by,
      approved_by,
    ]),
    [
      ["production", 2, "human:bob", null],
      ["staging", 1, "human:ann", null],
    ],
  );
  const rows = await place.rows("model.promoted");
  assert.deepEqual(
    rows.map(({ actor, reason }) => `${actor}: ${reason}`),
    [
      "human:ann: version 1 of fraud to production",
      "human:ann: version 1 of fraud to staging",
      "human:bob: version 2 of fraud to production, in the place of version 1",
    ],
  );
  const tools = (await place.rows("tool.after")).filter(({ source }) => source === "swarm/models");
  assert.equal(tools.length, 3);
});

test("a rule may have a person asked: the same promotion passes once they have said yes, once", async (t) => {
  const policy =
    "policy:\n  rules:\n    - { id: four-eyes, behaviour: ask, reason: somebody else looks, when: { tool: promote_model, args_pattern: { stage: production } } }\n";
  const place = await PipelinePlace.open(t, files(policy));
  await twoVersions(place);
  const models = await place.models();
  const promote = (version = 2) => models.promote("fraud", version, "production", "human:ann");
  const waiting = await promote();
  assert.deepEqual([waiting.status, waiting.stage], ["waiting", null]);
  assert.match(waiting.reason ?? "", /somebody else looks .*swarm approvals approve apr_/);
  assert.equal((await promote()).approval_id, waiting.approval_id, "the same question");
  assert.deepEqual(await models.stages("fraud"), []);
  assert.equal(
    (await models.promote("fraud", 2, "staging", "human:ann")).status,
    "promoted",
    "another stage",
  );
  const approval_id = await place.decide("approved");
  const { status, stage } = await promote();
  assert.deepEqual([status, stage?.approved_by, stage?.approval_id], ["promoted", "human:ada", approval_id]);
  assert.equal((await promote(1)).status, "waiting", "another version");
  await place.decide("denied");
  await assert.rejects(promote(1), {
    code: "SWARM_PROMOTION_DENIED",
    message: /^version 1 of model "fraud" is not promoted to "production": denied by human:ada: looked at it/,
  });
  assert.equal((await models.stages("fraud"))[0]?.version, 2);
});

test("what is not there, or not to be changed on the way, is not promoted", async (t) => {
  const rewrite = JSON.stringify({
    verdict: "allow",
    rewrite: { tool_input: { model: "fraud", version: 1 } },
  });
  const hooks = `hooks: [{ event: tool.before, type: command, match: promote_model, command: ${JSON.stringify(`echo '${rewrite}'`)} }]\n`;
  const place = await PipelinePlace.open(t, files(hooks));
  await twoVersions(place);
  const models = await place.models();
  const promote = (model: string, version: number, stage: string) =>
    models.promote(model, version, stage, "human:ann");
  await assert.rejects(promote("fraud", 2, "production"), /a hook has changed what is to be promoted/);
  await assert.rejects(promote("fruad", 2, "production"), { code: "SWARM_MODEL_UNKNOWN" });
  await assert.rejects(promote("fraud", 3, "production"), { code: "SWARM_MODEL_VERSION_UNKNOWN" });
  await assert.rejects(promote("fraud", 2, "../x"), { code: "SWARM_OPTION_INVALID" });
  assert.deepEqual(await models.stages("fraud"), []);
});
