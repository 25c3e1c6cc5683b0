import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, fixture } from "../answer-to.cases.ts";
import { geminiCli } from "./adapter.ts";
import { geminiQuirks } from "./quirks.ts";
import { readGemini } from "./reader.cases.ts";

const agent = "gemini-cli";
const before = fixture(agent, "captured/BeforeTool");
const after = fixture(agent, "captured/AfterTool");
const model = fixture(agent, "captured/BeforeModel");
const decode = (payload: typeof before) => geminiCli.decode({ payload, env: {} });
const argv = ["/bin/swarm-hook", agent] as const;

/** One proof per quirk: the compiler refuses one that is left out. */
const proofs: Readonly<Record<(typeof geminiQuirks)[number]["id"], () => void>> = {
  untrusted_folder: () => assert.match(geminiCli.trust ?? "", /in a folder you have not trusted/),
  milliseconds: () => {
    const text = geminiCli.settings.install(null, [{ native: "BeforeTool", argv, timeoutS: 60 }]);
    assert.equal(JSON.parse(text).hooks.BeforeTool[0].hooks[0].timeout, 60_000);
    assert.equal(geminiCli.settings.installed(text)[0]?.timeoutS, 60);
  },
  rewrites_merge: () => {
    const whole = answerTo(geminiCli, before, {}, { tool_input: { command: "ls", description: "say hi" } });
    assert.deepEqual(whole.json, {
      hookSpecificOutput: {
        hookEventName: "BeforeTool",
        tool_input: { command: "ls", description: "say hi" },
      },
    });
    const less = answerTo(geminiCli, before, {}, { tool_input: { command: "ls" } });
    assert.equal(less.json?.decision, "deny");
    assert.match(String(less.json?.reason), /it merges arguments, and description would stay\. Suggested/);
  },
  no_call_id: () => {
    assert.equal(decode(before).key, decode(structuredClone(before)).key);
    const later = { ...before, timestamp: "2026-11-15T19:10:08.610Z" };
    assert.notEqual(decode(later).key, decode(before).key);
    assert.equal(decode({ ...before, timestamp: undefined }).key, null);
  },
  pre_compress_every_request: () => {
    const auto = fixture(agent, "captured/PreCompress");
    assert.equal(decode(auto).event, "native.unknown");
    assert.equal(decode(fixture(agent, "made-up/PreCompress.manual")).event, "compaction.before");
    const text = geminiCli.settings.install(null, [{ native: "PreCompress", argv, timeoutS: 60 }]);
    assert.equal(JSON.parse(text).hooks.PreCompress[0].matcher, "manual");
  },
  ask_hangs: () => {
    const { json, notes } = answerTo(geminiCli, before, { verdict: "ask", reason: "sure?" });
    assert.deepEqual(json, {
      decision: "deny",
      reason: "sure? (no person can be asked at Gemini CLI's BeforeTool)",
    });
    assert.deepEqual(notes, ["ask: no person can be asked at Gemini CLI's BeforeTool, so it is denied"]);
  },
  allow_grants_nothing: () => {
    const { native, notes } = answerTo(geminiCli, before, { verdict: "allow" });
    assert.equal(native.stdout, "");
    assert.deepEqual(notes, ["allow grants nothing at Gemini CLI's BeforeTool"]);
  },
  context_before_tools_is_dropped: () => {
    const { native, notes } = answerTo(geminiCli, before, { context: ["by the way"] });
    assert.equal(native.stdout, "");
    assert.deepEqual(notes, ["context: does not reach the model at Gemini CLI's BeforeTool"]);
  },
  stderr_that_is_json: () => {
    assert.deepEqual(geminiCli.refuse("7"), { stdout: "", stderr: "swarm: 7\n", exitCode: 2 });
    assert.throws(
      () => readGemini("BeforeTool", { stdout: "", stderr: "7\n", exitCode: 2 }, decode(before)),
      /an answer that is nothing/,
    );
    assert.deepEqual(JSON.parse(geminiCli.refuse("no disk", decode(before)).stdout), {
      decision: "deny",
      reason: "no disk",
    });
  },
  last_decision_counts: () => {
    const denial = { decision: "deny", reason: "no", continue: false, stopReason: "no" };
    assert.deepEqual(answerTo(geminiCli, model, { verdict: "deny", reason: "no" }).json, denial);
    const answered = fixture(agent, "captured/AfterModel");
    assert.deepEqual(answerTo(geminiCli, answered, { verdict: "deny", reason: "no" }).json, denial);
  },
  feedback_replaces_the_result: () => {
    const { json } = answerTo(geminiCli, after, {}, { tool_output: "[masked]" });
    assert.deepEqual(json, {
      decision: "deny",
      reason:
        "tool_output cannot be changed at Gemini CLI's AfterTool. Suggested instead, as tool_output: [masked]",
    });
  },
  messages_by_place: () => {
    const messages = [{ role: "user", content: "[masked]" }];
    assert.deepEqual(answerTo(geminiCli, model, {}, { messages }).json, {
      hookSpecificOutput: { hookEventName: "BeforeModel", llm_request: { messages } },
    });
    for (const unfit of [[], [{ role: "user" }], [{ role: "tool", content: "" }], ["text"]]) {
      const { json } = answerTo(geminiCli, model, {}, { messages: unfit });
      assert.equal(json?.decision, "deny", JSON.stringify(unfit));
    }
    const { data } = decode(model);
    assert.deepEqual([data.model, Object.keys(data.request as object)], ["gemini-2.5-flash", ["config"]]);
  },
  after_model_per_chunk: () => {
    const rows = geminiCli.events.filter(({ event }) => event.startsWith("model."));
    assert.deepEqual(
      rows.map(({ native, installed }) => [native, installed]),
      [
        ["BeforeModel", "when_hooked"],
        ["AfterModel", "when_hooked"],
      ],
    );
  },
  synthetic_answers_and_tail_calls: () => {
    for (const name of ["BeforeModel", "AfterModel", "AfterTool"]) {
      const decision = { verdict: "deny", reason: "no", context: ["c"], stop: "enough" } as const;
      const { native } = answerTo(geminiCli, fixture(agent, `captured/${name}`), decision);
      assert.doesNotMatch(native.stdout, /llm_response|tailToolCallRequest/);
    }
  },
  feedback_comes_back: () => {
    const stop = fixture(agent, "captured/AfterAgent");
    const { json } = answerTo(geminiCli, stop, {
      verdict: "deny",
      reason: "tests fail",
      context: ["see log"],
    });
    assert.deepEqual(json, { decision: "deny", reason: "tests fail\n\nsee log" });
    assert.equal(decode(fixture(agent, "captured/BeforeAgent")).event, "prompt.submit");
  },
};

for (const { id, behaviour, whatWeDo } of geminiQuirks) {
  test(`${behaviour} ${whatWeDo}`, proofs[id]);
}

test("a tool that failed is an event of its own", () => {
  const call = decode(fixture(agent, "made-up/AfterTool.failed"));
  assert.deepEqual([call.event, call.data.error], ["tool.failed", "File not found: /workspace/project/x"]);
  const { json } = answerTo(geminiCli, fixture(agent, "made-up/AfterTool.failed"), { context: ["try y"] });
  assert.deepEqual(json, { hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "try y" } });
});

test("a run that ends says why, with the reason of the denial", () => {
  const { json } = answerTo(geminiCli, before, { verdict: "deny", reason: "no", stop: "enough" });
  assert.deepEqual(json, { decision: "deny", reason: "no", continue: false, stopReason: "no\nenough" });
});
