import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { bin, endOf, gone, Place, type Up } from "./harness.ts";

const config = `policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
`;
const push = { tool_name: "Bash", tool_input: { command: "git push" } };
const data = JSON.stringify(push);

interface Outcome {
  decision: { verdict: string; reason: string | null; hook: string | null };
  approval?: { id: string; status: string };
}
interface Approval {
  id: string;
  status: string;
  decided_by: string | null;
  comment: string | null;
}
interface Row {
  kind: string;
  event: string;
  outcome: string;
}

function placeWith(t: ConstructorParameters<typeof Place>[0], more = ""): Place {
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "config.yaml"), `${more}${config}`);
  return place;
}

const emit = (place: Place, ...args: string[]) =>
  place.json<Outcome>("emit", "tool.before", "--data", data, ...args);
const pendingId = async (place: Place) => {
  for (;;) {
    const { items } = await place.json<{ items: Approval[] }>("approvals", "list", "--status", "pending");
    if (items[0] !== undefined) return items[0].id;
  }
};

suite("an approval", () => {
  for (const isUp of [true, false]) {
    test(`is asked for, shown, given and used once, ${isUp ? "by a daemon" : "without one"}`, async (t) => {
      const place = placeWith(t);
      if (isUp) await place.up();
      const asked = await emit(place);
      const id = asked.approval?.id ?? assert.fail();
      assert.deepEqual([asked.decision.verdict, asked.decision.hook], ["ask", "policy:push"]);
      assert.match(
        asked.decision.reason ?? "",
        /^others see this \(git push\) \[push\]\. A person can let this call pass once with: swarm approvals approve apr_/,
      );
      assert.equal((await emit(place)).approval?.id, id);
      const listed = await place.swarm("approvals", "list");
      assert.match(listed.stdout, new RegExp(`^${id} +pending .* policy:push +Bash: git push$`, "m"));
      assert.match((await place.swarm("approvals", "show", id)).stdout, /"command": "git push"/);
      assert.match((await place.swarm("status")).stdout, /^asked {4}1 wait for a person/m);
      const { status, comment } = await place.json<Approval>(
        "approvals",
        "approve",
        id,
        "--reason",
        "release day",
      );
      assert.deepEqual([status, comment], ["approved", "release day"]);
      const passed = await emit(place);
      assert.equal(passed.decision.verdict, "allow");
      assert.match(passed.decision.reason ?? "", /^approved by human:.*: release day \(apr_/);
      const third = await emit(place);
      assert.deepEqual([third.decision.verdict, third.approval?.id === id], ["ask", false]);
      const { items } = await place.json<{ items: Row[] }>("audit", "log", "--limit", "100");
      const kinds = items
        .filter(({ event }) => event.startsWith("approval."))
        .map(({ kind, event }) => `${kind} ${event}`);
      assert.deepEqual(kinds.toReversed().slice(0, 5), [
        "intent approval.requested",
        "emit approval.requested",
        "outcome approval.requested",
        "emit approval.decided",
        "change approval.used",
      ]);
      assert.equal((await place.swarm("audit", "verify")).status, 0);
    });
  }

  test("that is denied refuses the call, with what was said", async (t) => {
    const place = placeWith(t);
    const { approval } = await emit(place);
    await place.json("approvals", "deny", approval?.id ?? "", "--reason", "not on a Friday");
    const { decision } = await emit(place);
    assert.equal(decision.verdict, "deny");
    assert.match(decision.reason ?? "", /^denied by human:.*: not on a Friday/);
  });

  test("decided twice at the same moment by two clients is decided once", async (t) => {
    const place = placeWith(t);
    const up = await place.up();
    const { approval } = await emit(place);
    const path = `/api/v1/approvals/${approval?.id}/decision`;
    const answers = await Promise.all(
      ["approved", "denied", "approved", "denied"].map((decision) =>
        place.call(up.port, "POST", path, { decision }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 409, 409, 409]);
    const lost = answers.find(({ status }) => status === 409);
    assert.equal(lost?.body.code, "SWARM_APPROVAL_DECIDED");
    const { items } = await place.json<{ items: Row[] }>("audit", "log", "--kind", "outcome");
    assert.equal(items.length, 1);
    const { status, stderr } = await place.swarm("approvals", "approve", approval?.id ?? "");
    assert.equal(status, 65);
    assert.match(
      stderr,
      /was (approved|denied) by human:.*expected a pending one \[SWARM_APPROVAL_DECIDED\]/,
    );
  });

  test("decided twice at the same moment by two processes without a daemon is decided once", async (t) => {
    const place = placeWith(t);
    const { approval } = await emit(place);
    const ended = await Promise.all(
      ["approve", "deny", "approve"].map((verb) => place.swarm("approvals", verb, approval?.id ?? "")),
    );
    assert.deepEqual(ended.map(({ status }) => status).sort(), [0, 65, 65]);
  });

  test("survives kill -9 between the question and its decision, and after it", async (t) => {
    const place = placeWith(t);
    const kill = async ({ child, pid }: Up) => {
      child.kill("SIGKILL");
      await gone(pid);
    };
    const first = await place.up();
    const { approval } = await emit(place);
    await kill(first);
    const second = await place.up();
    const { status } = await place.json<Approval>("approvals", "approve", approval?.id ?? "");
    assert.equal(status, "approved");
    await kill(second);
    await place.up();
    const passed = await emit(place);
    assert.deepEqual([passed.decision.verdict, passed.approval?.id], ["allow", approval?.id]);
    assert.equal((await emit(place)).decision.verdict, "ask");
    assert.equal((await place.swarm("audit", "verify")).status, 0);
  });

  test("waits for a person, over REST and on the command line, and ends with the decision", async (t) => {
    // Whoever decides is answered after the hooks were told, when the call has gone on.
    const told = '{ event: approval.decided, type: command, args: [sleep, "0.5"] }';
    const place = placeWith(t, `hooks: [${told}]\n`);
    const up = await place.up();
    const body = { event: "tool.before", data: push, cwd: place.project, wait_s: 600 };
    const waiting = place.call(up.port, "POST", "/api/v1/events", body);
    const id = await pendingId(place);
    const { stdout } = await place.swarm("approvals", "approve", id);
    assert.match(stdout, /^\S+ is approved and used by the call that waited: Bash: git push\n$/);
    const { decision } = (await waiting).body as unknown as Outcome;
    assert.equal(decision.verdict, "allow");
    const command = endOf(
      place.start(process.execPath, [
        bin,
        "emit",
        "tool.before",
        "--data",
        data,
        "--wait",
        "600",
        "--fail-on-deny",
      ]),
    );
    await place.json("approvals", "deny", await pendingId(place));
    assert.equal((await command).status, 2);
  });

  test("is told to whoever waits when the daemon stops, and is there after it", async (t) => {
    const place = placeWith(t);
    const up = await place.up();
    const body = { event: "tool.before", data: push, cwd: place.project, wait_s: 600 };
    const waiting = place.call(up.port, "POST", "/api/v1/events", body);
    const id = await pendingId(place);
    up.child.kill("SIGTERM");
    const outcome = (await waiting).body as unknown as Outcome;
    assert.deepEqual([outcome.decision.verdict, outcome.approval?.id], ["ask", id]);
    assert.equal((await up.ended).status, 0);
    assert.equal(await pendingId(place), id);
  });

  test("lapses by itself, and is a denial then", async (t) => {
    const place = placeWith(t, "approvals: { ttl_s: 1 }\n");
    await place.up();
    const { approval } = await emit(place);
    for (;;) {
      const { status } = await place.json<Approval>("approvals", "show", approval?.id ?? "");
      if (status === "expired") break;
      assert.equal(status, "pending");
    }
    const late = await place.swarm("approvals", "approve", approval?.id ?? "");
    assert.equal(late.status, 65);
    assert.match(late.stderr, /has expired, expected a pending one \[SWARM_APPROVAL_DECIDED\]/);
    assert.equal(
      (await place.swarm("approvals", "list", "--status", "used")).stdout,
      "no approval is used\n",
    );
    const waited = await emit(place, "--wait", "600");
    assert.deepEqual([waited.decision.verdict, waited.approval?.status], ["deny", "expired"]);
    assert.match(waited.decision.reason ?? "", /^nobody has approved this in time/);
    const { stdout } = await place.swarm("approvals", "list");
    assert.match(stdout, /^ID +STATUS +ASKED +LAPSES +BY +RULE +WHAT\n\S+ +expired +(\S+Z) +(?!\1)\S+Z /);
  });

  test("of another role is not for a viewer to decide", async (t) => {
    const place = placeWith(t);
    const up = await place.up();
    const { approval } = await emit(place);
    const { body } = await place.call(up.port, "POST", "/api/v1/tokens", { name: "board", role: "viewer" });
    const path = `/api/v1/approvals/${approval?.id}`;
    const headers = {
      host: `127.0.0.1:${up.port}`,
      authorization: `Bearer ${body.token}`,
      "content-type": "application/json",
    };
    const shown = await fetch(`http://127.0.0.1:${up.port}${path}`, { headers });
    const refused = await fetch(`http://127.0.0.1:${up.port}${path}/decision`, {
      method: "POST",
      headers,
      body: JSON.stringify({ decision: "approved" }),
    });
    assert.deepEqual([shown.status, refused.status], [200, 403]);
  });
});

suite("an agent that is to ask", () => {
  const call = (place: Place, agent: string, more: object = {}, tool = "t1") => ({
    session_id: "s1",
    cwd: place.project,
    hook_event_name: "PreToolUse",
    tool_use_id: tool,
    ...push,
    ...(agent === "codex" ? { turn_id: "x", model: "m" } : {}),
    ...more,
  });
  const hook = async (place: Place, agent: string, payload: object, ...args: string[]) => {
    const env = agent === "claude-code" ? { CLAUDECODE: "1" } : {};
    const child = place.start(process.execPath, [bin, "hook", agent, "--guard", ...args], env);
    child.stdin?.end(JSON.stringify(payload));
    const { stdout } = await endOf(child);
    return stdout === "" ? {} : JSON.parse(stdout).hookSpecificOutput;
  };

  for (const isUp of [true, false]) {
    const how = isUp ? "with a daemon" : "without one";

    test(`Codex, which cannot, is refused with the id; the same call passes after approval, ${how}`, async (t) => {
      const place = placeWith(t);
      if (isUp) await place.up();
      const refused = await hook(place, "codex", call(place, "codex"));
      assert.equal(refused.permissionDecision, "deny");
      const [, id = ""] = /swarm approvals approve (apr_\w+)/.exec(refused.permissionDecisionReason) ?? [];
      assert.equal(await pendingId(place), id);
      await place.json("approvals", "approve", id);
      // Word for word the same, as when it comes in by another file, and in another turn.
      assert.deepEqual(await hook(place, "codex", call(place, "codex")), {});
      assert.equal((await hook(place, "codex", call(place, "codex", {}, "t2"))).permissionDecision, "deny");
    });
  }

  test("Claude Code, which can, asks its user; that the tool ran is the answer", async (t) => {
    const place = placeWith(t);
    await place.up();
    const asked = await hook(place, "claude-code", call(place, "claude-code"));
    assert.equal(asked.permissionDecision, "ask");
    assert.match(asked.permissionDecisionReason, /swarm approvals approve apr_/);
    const id = await pendingId(place);
    const after = { hook_event_name: "PostToolUse", tool_response: { stdout: "done" } };
    await hook(place, "claude-code", call(place, "claude-code", after));
    for (;;) {
      const { status, decided_by } = await place.json<Approval>("approvals", "show", id);
      if (status !== "used") continue;
      assert.equal(decided_by, "agent:claude-code");
      break;
    }
  });

  test("waits for a person first, where that is configured, within the agent's own deadline", async (t) => {
    const place = placeWith(t, "approvals: { wait_s: 600 }\n");
    await place.up();
    const waiting = hook(place, "codex", call(place, "codex"), "--timeout-ms", "60000");
    await place.json("approvals", "approve", await pendingId(place));
    assert.deepEqual(await waiting, {});
    const late = await hook(place, "codex", call(place, "codex", {}, "t2"), "--timeout-ms", "1500");
    assert.equal(late.permissionDecision, "deny");
    assert.match(late.permissionDecisionReason, /swarm approvals approve/);
  });
});

test("hooks hear of questions and decisions", async (t) => {
  const place = placeWith(
    t,
    `hooks:
  - { event: approval.requested, type: script, name: asked, command: "cat >> asked; echo >> asked" }
  - { event: approval.decided, type: script, name: decided, command: "cat >> decided; echo >> decided" }
`,
  );
  await place.up();
  const { approval } = await emit(place);
  const written = async (name: string) => JSON.parse((await place.written(name)).split("\n")[0] ?? "");
  const asked = (await written("asked")).data;
  assert.deepEqual(
    [asked.approval_id, asked.rule, asked.subject.input],
    [approval?.id, "policy:push", push.tool_input],
  );
  await place.json("approvals", "deny", approval?.id ?? "", "--reason", "no");
  const decided = (await written("decided")).data;
  assert.deepEqual([decided.approval_id, decided.decision, decided.comment], [approval?.id, "denied", "no"]);
});

test("nobody else may say that something was approved", async (t) => {
  const place = placeWith(t);
  const up = await place.up();
  for (const event of ["approval.decided", "approval.requested"]) {
    const body = { event, data: { approval_id: "apr_1", name: "x", decision: "approved" } };
    assert.equal((await place.call(up.port, "POST", "/api/v1/events", body)).status, 403);
  }
});

test("trying hooks out asks nobody", async (t) => {
  const place = placeWith(t);
  const outcome = await place.json<Outcome>(
    "hooks",
    "test",
    "tool.before",
    "--input",
    '{"command": "git push"}',
  );
  assert.deepEqual([outcome.decision.verdict, outcome.approval], ["ask", undefined]);
  const { items } = await place.json<{ items: Approval[] }>("approvals", "list");
  assert.deepEqual(items, []);
});
