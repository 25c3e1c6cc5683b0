import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { serve } from "../../src/net/harness.cases.ts";
import { bin, endOf, Place } from "./harness.ts";

/** A place whose user has this configuration. */
function placeWith(t: TestContext, config: string): Place {
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "config.yaml"), config);
  return place;
}

const denying = (url: string, more = "") => `
hooks:
  - { event: tool.before, type: http, name: judge, mode: guard, on_failure: deny, url: "${url}"${more} }
`;

const loopback = ", allow_private: [loopback]";

interface Decided {
  readonly decision: { readonly verdict: string; readonly reason: string; readonly hook: string };
}

const hooksTest = (place: Place, command: string) =>
  place.json<Decided>(
    "hooks",
    "test",
    "tool.before",
    "--tool",
    "Bash",
    "--input",
    JSON.stringify({ command }),
  );

test("a new http hook is asked as it was written, without a daemon and with one", async (t) => {
  const place = placeWith(t, "hooks: []\n");
  const args = ["hooks", "new", "tool.before", "--kind", "http", "--name", "no-rm"];
  const { entry } = await place.json<{ entry: string }>(...args);
  const endpoint = place.start(process.execPath, ["hooks/no-rm.mjs"], { PORT: "0" });
  const [line] = await once(createInterface({ input: endpoint.stdout ?? process.stdin }), "line");
  const url = String(line).replace("listening on ", "");
  const config = `hooks:\n${entry.replace(/http:\/\/[^\s]+/, url)}`;
  writeFileSync(join(place.home, "config.yaml"), config);
  const judge = async () => {
    const [fine, denied] = [await hooksTest(place, "ls"), await hooksTest(place, "echo DO-NOT")];
    return [fine.decision.verdict, denied.decision.verdict, denied.decision.hook];
  };
  assert.deepEqual(await judge(), ["none", "deny", "no-rm"]);
  const up = await place.up();
  assert.deepEqual(await judge(), ["none", "deny", "no-rm"]);
  up.child.kill();
  assert.equal((await up.ended).status, 0);
});

test("an address on this machine is refused unless the hook allows it, and doctor says so beforehand", async (t) => {
  let asked = 0;
  const { url } = await serve(t, (_request, response) => {
    asked++;
    response.writeHead(204).end();
  });
  const place = placeWith(t, denying(url));
  const findings = await place.doctor();
  assert.deepEqual(
    findings.find(({ about }) => about === "judge"),
    {
      level: "broken",
      about: "judge",
      finding: "127.0.0.1 is refused (loopback): list it under allow_private of the hook",
    },
  );
  const { decision } = await hooksTest(place, "ls");
  assert.equal(decision.verdict, "deny");
  assert.match(decision.reason, /^hook judge may not connect to 127\.0\.0\.1 \(loopback\)/);
  assert.equal(asked, 0);
});

test("an agent's call is judged by an endpoint without a daemon, and the client ends with its answer", async (t) => {
  const { url } = await serve(t, (request, response) => {
    void text(request).then((body) => {
      const { data } = JSON.parse(body);
      const verdict = data.tool_input.command === "rm" ? "deny" : "none";
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ verdict, reason: "not here" }));
    });
  });
  const place = placeWith(t, denying(url, loopback));
  const call = async (command: string) => {
    const client = place.start(process.execPath, [bin, "hook", "claude-code", "--guard"]);
    client.stdin?.end(
      JSON.stringify({
        session_id: "s",
        transcript_path: "",
        cwd: place.project,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
        tool_use_id: command,
      }),
    );
    return endOf(client);
  };
  assert.equal((await call("ls")).stdout, "");
  const { stdout } = await call("rm");
  assert.match(stdout, /"permissionDecision":"deny".*not here/);
});

test("hooks of type http in a file in Claude Code's shape are asked in its words", async (t) => {
  const sent = Promise.withResolvers<Record<string, unknown>>();
  const { url } = await serve(t, (request, response) => {
    void text(request).then((body) => {
      sent.resolve(JSON.parse(body));
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ decision: "block", reason: "no" }));
    });
  });
  const hook = { type: "http", url, allowPrivate: ["loopback"], onFailure: "block" };
  const place = placeWith(t, JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } }));
  const { decision } = await hooksTest(place, "ls");
  assert.deepEqual([decision.verdict, decision.reason], ["deny", "no"]);
  const { hook_event_name, tool_name } = await sent.promise;
  assert.deepEqual([hook_event_name, tool_name], ["PreToolUse", "Bash"]);
});

test("a daemon that is told to stop waits for no kept connection", async (t) => {
  const { url } = await serve(t, (_request, response) => response.writeHead(204).end());
  const place = placeWith(t, denying(url, loopback));
  const up = await place.up();
  assert.equal((await hooksTest(place, "ls")).decision.verdict, "none");
  up.child.kill();
  assert.equal((await up.ended).status, 0);
});
