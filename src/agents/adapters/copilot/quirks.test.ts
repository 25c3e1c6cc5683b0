import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, fixture } from "../answer-to.cases.ts";
import { copilot } from "./adapter.ts";
import { copilotQuirks } from "./quirks.ts";
import { readCopilot } from "./reader.cases.ts";

const agent = "copilot";
const before = fixture(agent, "captured/preToolUse");
const after = fixture(agent, "captured/postToolUse");
const decode = (payload: typeof before) => copilot.decode({ payload, env: {} });

/** The same call in the other spelling, as Claude Code's settings get it. */
const pascal = fixture(agent, "captured/pascal-case/PreToolUse");
const camel = {
  sessionId: pascal.session_id,
  timestamp: Date.parse(String(pascal.timestamp)),
  cwd: pascal.cwd,
  toolName: "bash",
  toolArgs: pascal.tool_input,
};

/** One proof per quirk: the compiler refuses one that is left out. */
const proofs: Readonly<Record<(typeof copilotQuirks)[number]["id"], () => void>> = {
  mcp_names_are_joined: () => {
    const names = copilot.toolNames({ tool_name: "a-b-c" })?.readings.map(({ name }) => name);
    assert.deepEqual(names, ["mcp:a/b-c", "mcp:a-b/c"]);
  },
  long_commands_hang: () => {
    const { stdout, exitCode } = copilot.refuse("its input is over 1 MiB", decode(before));
    const said = { permissionDecision: "deny", permissionDecisionReason: "its input is over 1 MiB" };
    assert.deepEqual([JSON.parse(stdout), exitCode], [said, 0]);
  },
  spelling_selects_the_protocol: () => {
    const hook = { native: "preToolUse", argv: ["/bin/swarm-hook", agent], timeoutS: 60 } as const;
    assert.deepEqual(JSON.parse(copilot.settings.install(null, [hook])), {
      hooks: {
        preToolUse: [
          {
            type: "command",
            bash: "/bin/swarm-hook copilot",
            timeoutSec: 60,
            env: { SWARM_NATIVE_EVENT: "preToolUse" },
          },
        ],
      },
      version: 1,
    });
    const decision = { verdict: "deny", reason: "no" } as const;
    assert.equal(
      answerTo(copilot, camel, decision).native.stdout,
      answerTo(copilot, pascal, decision).native.stdout,
    );
    assert.deepEqual([decode(camel).event, decode(pascal).event], ["tool.before", "tool.before"]);
  },
  reads_claude_settings: () => {
    const env = { COPILOT_CLI: "1", CLAUDE_PROJECT_DIR: "/workspace/project" };
    assert.equal(copilot.recognises({ payload: pascal, env }), true);
  },
  one_time_for_all_hooks: () => {
    assert.notEqual(decode(camel).key, null);
    assert.equal(decode(camel).key, decode(pascal).key);
    for (const other of [
      { ...camel, timestamp: camel.timestamp + 1 },
      { ...camel, toolName: "view" },
      { ...camel, toolArgs: { command: "rm" } },
    ]) {
      assert.notEqual(decode(other).key, decode(pascal).key);
    }
    const result = fixture(agent, "captured/pascal-case/PostToolUse");
    assert.deepEqual(Object.keys(decode(result).data.tool_output as object), [
      "resultType",
      "textResultForLlm",
    ]);
  },
  hooks_in_order: () => {
    const rewritten = { command: "ls", description: "say hi" };
    const key = decode(camel).keyWith({ ...decode(camel).data, tool_input: rewritten });
    assert.equal(decode({ ...pascal, tool_input: rewritten }).key, key);
  },
  exit_codes_count_before_tools_only: () => {
    const refused = copilot.refuse("no disk", decode(before));
    assert.deepEqual(JSON.parse(refused.stdout), {
      permissionDecision: "deny",
      permissionDecisionReason: "no disk",
    });
    const prompt = decode(fixture(agent, "captured/userPromptSubmitted"));
    assert.deepEqual(JSON.parse(copilot.refuse("no disk", prompt).stdout), {
      decision: "block",
      reason: "no disk",
    });
    assert.throws(() => readCopilot("", copilot.refuse("no"), prompt), /exit code 2 at prompt\.submit/);
  },
  timeouts_pass: () => {
    assert.ok(copilot.events.every(({ timeoutS, maxTimeoutS }) => timeoutS === 30 && maxTimeoutS === null));
  },
  no_end_of_the_run: () => {
    const { json, notes } = answerTo(copilot, before, { stop: "enough" });
    assert.deepEqual(json, {
      permissionDecision: "deny",
      permissionDecisionReason: "the run should end: enough",
    });
    assert.equal(notes.length, 1);
    const stop = answerTo(copilot, fixture(agent, "captured/agentStop"), { stop: "enough" });
    assert.equal(stop.native.stdout, "");
  },
  block_after_tools_replaces: () => {
    assert.deepEqual(answerTo(copilot, after, { verdict: "deny", reason: "no" }).json, {
      decision: "block",
      reason: "no",
    });
    const tool_output = { resultType: "success", textResultForLlm: "[masked]" };
    for (const payload of [after, fixture(agent, "captured/pascal-case/PostToolUse")]) {
      assert.deepEqual(answerTo(copilot, payload, {}, { tool_output }).json, { modifiedResult: tool_output });
    }
    assert.equal(answerTo(copilot, after, {}, { tool_output: "[masked]" }).json?.decision, "block");
  },
  dialog_has_words_of_its_own: () => {
    const dialog = fixture(agent, "captured/permissionRequest");
    const say = (verdict: "allow" | "ask" | "deny") =>
      answerTo(copilot, dialog, { verdict, reason: "so" }).json;
    assert.deepEqual(say("deny"), { behavior: "deny", message: "so" });
    assert.deepEqual(say("allow"), { behavior: "allow", message: "so" });
    assert.equal(say("ask"), null);
  },
  ask_headless: () => {
    const { json, notes } = answerTo(copilot, before, { verdict: "ask", reason: "sure?" });
    assert.deepEqual(json, { permissionDecision: "ask", permissionDecisionReason: "sure?" });
    assert.deepEqual(notes, []);
  },
  no_empty_prompts: () => {
    const prompt = fixture(agent, "captured/userPromptSubmitted");
    assert.deepEqual(answerTo(copilot, prompt, {}, { prompt: "masked" }).json, { modifiedPrompt: "masked" });
    assert.equal(answerTo(copilot, prompt, {}, { prompt: " " }).json?.decision, "block");
  },
  folder_trust_for_projects: () => {
    const folders = { home: "/home/user", project: "/workspace/project", env: {} };
    assert.equal(copilot.settings.file("user", folders), "/home/user/.copilot/hooks/swarm-hooks.json");
    assert.equal(
      copilot.settings.file("project", folders),
      "/workspace/project/.github/hooks/swarm-hooks.json",
    );
  },
};

for (const { id, behaviour, whatWeDo } of copilotQuirks) {
  test(`${behaviour} ${whatWeDo}`, proofs[id]);
}

const named = [
  "preToolUse",
  "postToolUse",
  "postToolUseFailure",
  "permissionRequest",
  "userPromptSubmitted",
  "userPromptTransformed",
  "sessionStart",
  "sessionEnd",
  "agentStop",
  "subagentStart",
  "subagentStop",
  "notification",
];
for (const name of named) {
  test(`without our variable ${name} is told by its fields`, () => {
    assert.equal(decode(fixture(agent, `captured/${name}`)).nativeEvent, name);
  });
}
