import assert from "node:assert/strict";
import { test } from "node:test";
import { secretForms } from "../base/secrets/mask.ts";
import { parseConfigText } from "./parse.ts";
import { redactHook } from "./redact-section.ts";

const read = (text: string, owner: "user" | "project" = "user") =>
  parseConfigText("swarm.yaml", text, { owner, env: {} }).redact;
const all = secretForms.map(({ id }) => id);

test("one line masks every form", () => {
  assert.deepEqual(read("redact: true\n"), {
    source: { file: "swarm.yaml", line: 1, column: 1 },
    forms: all,
  });
  for (const text of ["", "redact:\n", "redact: false\n"]) assert.equal(read(text), null);
});

test("a map says which forms, or which not", () => {
  assert.deepEqual(read("redact: { forms: [jwt, github-token] }\n")?.forms, ["jwt", "github-token"]);
  assert.deepEqual(
    read("redact: { disable: [jwt] }\n")?.forms,
    all.filter((id) => id !== "jwt"),
  );
});

test("a project adds to what the user has, and takes nothing away", () => {
  const user = read("redact: { forms: [jwt] }\n");
  const project = read("redact: { forms: [npm-token] }\n", "project");
  const hook = redactHook([user, project], []);
  assert.deepEqual(hook?.action, { kind: "redact", forms: ["npm-token", "jwt"] });
  const disabling = read("redact: { disable: [jwt] }\n", "project");
  const both = redactHook([user, disabling], [])?.action;
  assert.ok(both?.kind === "redact" && both.forms.includes("jwt"));
  assert.equal(redactHook([null, null], []), null);
  assert.throws(() => read("redact: false\n", "project"), /a project's file may only switch it on/);
});

test("its name is no other hook's", () => {
  const section = read("redact: true\n");
  const first = redactHook([section], []);
  assert.equal(first?.name, "swarm/redact");
  assert.equal(redactHook([section], first === null ? [] : [first])?.name, "swarm/redact'");
});

test("what is none of these is an error that names the place", () => {
  assert.throws(() => read("redact: yes please\n"), /swarm\.yaml:1:9.*redact is "yes please", expected true/);
  assert.throws(() => read("redact: { forms: [gihub-token] }\n"), /did you mean "github-token"\?/);
  assert.throws(() => read("redact: { forms: [] }\n"), /expected forms of docs\/redaction\.md/);
  assert.throws(() => read("redact: { from: [jwt] }\n"), /unknown key/);
});
