import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kind, kindNames, kinds } from "../../config/kinds.ts";
import { parseConfigText } from "../../config/parse.ts";
import { eventNames, rowOf } from "../../engine/events/names.ts";
import { validatePayload } from "../../engine/events/validate.ts";
import { scaffolds } from "../hooks-new.ts";
import { samplePayload } from "./sample.ts";

/** The one hook of a file with nothing but the scaffold's entry. */
function load(hook: { event: (typeof eventNames)[number]; kind: string; name: string; place?: string }) {
  const entry = scaffolds[hook.kind]?.({ place: "./", ...hook }).entry;
  const file = parseConfigText("swarm.yaml", `hooks:\n${entry}`, { owner: "project", env: {} });
  assert.equal(file.hooks.length, 1);
  return file.hooks[0];
}

test("there is a scaffold for every kind a file may declare, and for functions", () => {
  assert.deepEqual(Object.keys(scaffolds).sort(), [...kindNames, "function"].sort());
});

for (const kind of kindNames) {
  test(`the entry of kind ${kind} loads for every event`, () => {
    for (const event of eventNames) {
      const hook = load({ event, kind, name: "no-rm" });
      assert.deepEqual(
        { ...hook, id: "", source: "", action: hook?.action.kind },
        {
          id: "",
          name: "no-rm",
          source: "",
          dialect: "swarm",
          event,
          nativeEvent: event,
          match: "*",
          when: null,
          priority: 0,
          mode: kind === "http" || kind === "command" ? "guard" : kinds[kind].modes[0],
          // The scaffold of a program is a guard that fails closed.
          onFailure: kind === "command" ? "deny" : kinds[kind].onFailure,
          onDenied: false,
          timeoutMs: kinds[kind].timeoutMs,
          plugin: null,
          action: kind,
        },
      );
    }
  });
}

test("a function has no entry: code registers it", () => {
  const [event = "tool.before"] = eventNames;
  assert.equal(scaffolds.function?.({ event, kind: "function", name: "no-rm", place: "./" }).entry, null);
});

test("only an event with a field to match is given a matcher to narrow", () => {
  for (const event of eventNames) {
    const entry = scaffolds.command?.({ event, kind: "command", name: "no-rm", place: "./" }).entry ?? "";
    assert.equal(entry.includes("match:"), rowOf(event).matches !== null, event);
  }
});

test("a name that YAML would take for something else stays a name", () => {
  for (const name of ["123", "0x1F", "1e3", "true", "Null", "-x", "no", "_"]) {
    for (const kind of ["command", "mcp_tool"] satisfies Kind[]) {
      assert.equal(load({ event: "tool.before", kind, name })?.name, name);
    }
  }
});

test("a tool's entry comes with the server that has it, and both load together", () => {
  for (const name of ["no-rm", "123", "true", "-x"]) {
    const hook = { event: "task.failed", kind: "mcp_tool", name, place: "./a b/" } as const;
    const { entry, servers } = scaffolds.mcp_tool?.(hook) ?? {};
    const text = `hooks:\n${entry}mcp_servers:\n${servers}`;
    const file = parseConfigText("/p/swarm.yaml", text, { owner: "project", env: {} });
    assert.deepEqual(
      file.hooks.map(({ action }) => action),
      [{ kind: "mcp_tool", server: name, tool: name }],
    );
    assert.deepEqual(
      file.servers.map((server) => [server.name, server.transport]),
      [[name, { kind: "stdio", argv: ["node", `./a b/hooks/${name}.mjs`], env: {}, cwd: "/p" }]],
    );
  }
});

test("a webhook is signed once its secret is no comment any more and the variable is allowed", () => {
  const hook = { event: "task.failed", kind: "webhook", name: "no-rm", place: "./" } as const;
  const entry = scaffolds.webhook?.(hook).entry?.replace("# secret:", "secret:");
  const env = { WEBHOOK_SECRET: "whsec_AAAA" };
  const options = { owner: "project", env, allowedVariables: ["WEBHOOK_SECRET"] } as const;
  const [signed] = parseConfigText("swarm.yaml", `hooks:\n${entry}`, options).hooks;
  assert.equal(signed?.action.kind === "webhook" && signed.action.secret, "whsec_AAAA");
});

test("a script is found beside the file, in whatever folder it is", () => {
  const hook = load({ event: "tool.before", kind: "command", name: "no-rm", place: "./a b/[c]: #d/" });
  assert.equal(hook?.action.kind === "command" && hook.action.argv?.[0], "./a b/[c]: #d/hooks/no-rm.sh");
});

test("every event accepts the payload its scaffold's test sends", () => {
  for (const event of eventNames) {
    const payload = samplePayload(event, "the text");
    validatePayload(event, payload);
    assert.match(JSON.stringify(payload), /"the text"/, event);
  }
});
