import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Action } from "./action.ts";
import { place, policyOf, said, shell, toolCall } from "./harness.cases.ts";
import type { Rule } from "./rule.ts";

const judge = (rules: readonly Partial<Rule>[], action: Action) =>
  said(policyOf(...rules).judge(action, place));
const holds = (when: Rule["when"], action: Action, behaviour: Rule["behaviour"] = "deny") =>
  judge([{ when, behaviour }], action) !== "none";

suite("several rules", () => {
  const deny = { id: "d", behaviour: "deny" } as const;
  const ask = { id: "s", behaviour: "ask" } as const;
  const allow = { id: "a", behaviour: "allow", when: { tool: "*" } } as const;
  const none = { id: "n", behaviour: "deny", when: { tool: "Write" } } as const;

  test("deny goes before ask, ask before allow, whatever their order and priority", () => {
    const call = toolCall("Read");
    assert.equal(judge([{ ...allow, priority: 9 }, { ...ask, priority: 5 }, deny], call), "deny d");
    assert.equal(judge([{ ...allow, priority: 9 }, ask], call), "ask s");
    assert.equal(judge([none, allow], call), "allow a");
    assert.equal(judge([none], call), "none");
  });

  test("of one behaviour the highest priority is named, then the first", () => {
    const rules = [deny, { ...deny, id: "e" }, { ...deny, id: "f", priority: 1 }];
    assert.equal(judge(rules, toolCall("Read")), "deny f");
    assert.equal(judge(rules.slice(0, 2), toolCall("Read")), "deny d");
  });

  test("the reason says why, what was found and which rule it was", () => {
    const { reason } =
      policyOf({ id: "keys", when: { path: ["/**/*.pem"] }, reason: "keys are secret" }).judge(
        toolCall("Read", { file_path: "/x/a.pem" }),
        place,
      ) ?? {};
    assert.equal(reason, "keys are secret (/x/a.pem) [keys]");
    assert.equal(policyOf({ id: "x" }).judge(shell("ls"), place)?.reason, "the policy says deny [x]");
  });

  test("all conditions of a rule have to hold", () => {
    const when = { tool: "shell", agent: "codex", role: "backend" };
    const call = { agents: ["codex"], role: "backend" };
    assert.equal(holds(when, toolCall("Bash", {}, call)), true);
    assert.equal(holds(when, toolCall("Bash", {}, { ...call, role: "frontend" })), false);
    assert.equal(holds(when, toolCall("Read", {}, call)), false);
  });

  test("a policy tells its version by a digest", () => {
    assert.equal(policyOf(deny).digest, policyOf(deny).digest);
    assert.notEqual(policyOf(deny).digest, policyOf(ask).digest);
  });
});

suite("conditions", () => {
  test("tool matches an agent's own names and the common ones, MCP tools too", () => {
    for (const name of ["Bash", "run_shell_command", "exec_command"]) {
      assert.equal(holds({ tool: "shell" }, toolCall(name)), true, name);
    }
    assert.equal(holds({ tool: "Bash" }, toolCall("run_shell_command")), false);
    assert.equal(holds({ tool: "mcp:github/delete_*" }, toolCall("mcp__github__delete_repo")), true);
    assert.equal(holds({ tool: "/^(Write|Edit)$/" }, toolCall("Edit")), true);
    assert.equal(holds({ tool: "*" }, toolCall("x", {}, { event: "cron.fired" })), false);
  });

  test("tool and kind: to forbid, one of the things it may be is enough; to allow, all have to fit", () => {
    const readings = ["mcp:a/b_c", "mcp:a_b/c"].map((name) => ({ name, spelling: "changed" as const }));
    const call = toolCall("a_b_c", {}, { kind: "mcp:a/b_c", readings });
    for (const key of ["tool", "kind"]) {
      const judged = (pattern: string | string[], behaviour: "allow" | "ask" | "deny") =>
        policyOf({ when: { [key]: pattern }, behaviour }).judge(call, place) !== null;
      for (const pattern of ["mcp:a/*", "mcp:a_b/c", "mcp:a.b/c", ["x", "mcp:a/b_c"]]) {
        const shown = `${key}: ${pattern}`;
        assert.deepEqual([judged(pattern, "deny"), judged(pattern, "ask")], [true, true], shown);
        assert.equal(judged(pattern, "allow"), false, shown);
      }
      assert.equal(judged("mcp:*", "allow"), true);
      assert.equal(judged(["mcp:a/*", "mcp:a_b/*"], "allow"), true);
      assert.equal(judged("mcp:c/*", "deny"), false);
    }
    assert.notEqual(policyOf({ when: { tool: "a_b_*" }, behaviour: "allow" }).judge(call, place), null);
    // One agent's name is not taken for the same name of another.
    const policy = policyOf({ when: { tool: "mcp:a_b/c" } });
    const single = toolCall("a_b_c", {}, { kind: "mcp:a/b_c", readings: readings.slice(0, 1) });
    const found = [call, single, call].map((action) => policy.judge(action, place) !== null);
    assert.deepEqual(found, [true, false, true]);
  });

  test("a tool that is not known and takes a command is forbidden what a shell is, and allowed nothing", () => {
    const judged = (behaviour: "allow" | "deny", tool: string, input: object) =>
      policyOf({ when: { tool: "shell" }, behaviour }).judge(toolCall(tool, input), place) !== null;
    assert.equal(judged("deny", "mcp__term__run", { command: "ls" }), true);
    assert.equal(judged("allow", "mcp__term__run", { command: "ls" }), false);
    assert.equal(judged("allow", "Bash", { command: "ls" }), true);
    // One after the other: what was found for one call is not taken for the next.
    const policy = policyOf({ when: { tool: "shell" } });
    const verdicts = [{ text: "ls" }, { command: "ls" }, { text: "ls" }].map((input) =>
      policy.judge(toolCall("terminal", input), place),
    );
    assert.deepEqual(
      verdicts.map((found) => found !== null),
      [false, true, false],
    );
  });

  test("of a list one has to fit", () => {
    assert.equal(holds({ tool: ["Write", "mcp:github/*"] }, toolCall("mcp__github__delete_repo")), true);
    assert.equal(holds({ tool: ["Write", "mcp:github/*"] }, toolCall("Bash")), false);
    assert.equal(holds({ role: ["qa", "ops"], tool: "Bash" }, toolCall("Bash", {}, { role: "ops" })), true);
    assert.equal(holds({ role: ["qa", "ops"], tool: "Bash" }, toolCall("Bash", {}, { role: "dev" })), false);
    const job = toolCall("nightly", {}, { event: "cron.fired", kind: "custom", agents: ["a1"] });
    assert.equal(
      holds({ event: ["batch.started", "cron.fired"], kind: ["x", "custom"], name: ["a", "n*"] }, job),
      true,
    );
    assert.equal(holds({ event: ["batch.started", "cron.fired"], agent: ["b", "c"] }, job), false);
  });

  test("event, kind and name tell what else is judged", () => {
    const job = toolCall("nightly", { command: "rm -rf /etc" }, { event: "cron.fired", kind: "custom" });
    assert.equal(holds({ event: "cron.fired", kind: "custom", name: "night*" }, job), true);
    assert.equal(holds({ kind: "retrain" }, job), false);
    assert.equal(holds({ detect: ["deletes_outside_project"] }, job), true);
    assert.equal(holds({ event: "cron.fired|batch.started" }, shell("ls")), false);
    assert.equal(holds({ name: "main" }, toolCall("main", {}, { event: "merge.started", kind: null })), true);
  });

  test("args_pattern looks at any text among the arguments, or at those it names", () => {
    const call = toolCall("mcp__db__query", {
      sql: "drop table users",
      options: { tags: ["x", "prod"] },
      limit: 5,
    });
    assert.equal(holds({ args_pattern: "/\\bdrop\\b/i" }, call), true);
    assert.equal(holds({ args_pattern: "prod" }, call), true);
    assert.equal(holds({ args_pattern: "rod" }, call), false);
    assert.equal(holds({ args_pattern: { sql: "drop *", limit: "5" } }, call), true);
    assert.equal(holds({ args_pattern: { table: "*" } }, call), false);
    assert.equal(holds({ args_pattern: { toString: "*" } }, call), false);
  });

  test("args_pattern and path see the last of very many texts and files", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`);
    const padded = toolCall("mcp__db__query", { pad: many(200_000), sql: "drop", file: "/x/id_rsa" });
    assert.equal(holds({ args_pattern: "drop" }, padded), true);
    assert.equal(holds({ path: ["/**/id_rsa"] }, padded), true);
    assert.equal(holds({ path: ["/**/id_rsa"] }, shell(`cat ${many(1_000).join(" ")} id_rsa`)), true);
  });

  test("time_window looks at the clock", () => {
    const when = { time_window: ["Sat,Sun UTC", "Mon-Fri 18:00-08:00 UTC"] };
    const at = (time: string) => toolCall("Bash", {}, { nowMs: Date.parse(time) });
    assert.equal(holds(when, at("2026-11-16T12:00:00Z")), false); // a Monday
    assert.equal(holds(when, at("2026-11-16T19:00:00Z")), true);
    assert.equal(holds(when, at("2026-11-15T12:00:00Z")), true);
  });

  test("command looks at every command of a line, however it is wrapped", () => {
    const when = { command: ["kubectl delete", "terraform apply -auto-approve"] };
    for (const line of [
      "kubectl delete pod x",
      "kubectl -n prod delete pod x",
      "cd x && sudo kubectl --context prod delete pod x",
      "sh -c 'kubectl delete pod x'",
      "terraform apply -auto-approve",
      "terraform apply -input=false -auto-approve",
    ]) {
      assert.equal(holds(when, shell(line)), true, line);
    }
    for (const line of ["kubectl get pods", "kubectl get delete", "terraform apply", "echo kubectl delete"]) {
      assert.equal(holds(when, shell(line)), false, line);
    }
  });

  test("the command that one of several patterns fits is named, whether its program is a name or a pattern", () => {
    const found = (line: string, ...command: string[]) =>
      policyOf({ when: { command } }).judge(shell(line), place)?.finding ?? null;
    const patterns = ["*ctl delete", "kubectl|oc delete", "oc scale", "/^oc$/ get", "* destroy"];
    assert.equal(found("kubectl delete pod x", ...patterns), "kubectl delete pod x");
    assert.equal(found("oc delete pod x", ...patterns), "oc delete pod x");
    assert.equal(found("oc scale x", ...patterns), "oc scale x");
    assert.equal(found("oc get x", ...patterns), "oc get x");
    assert.equal(found("oc destroy x", ...patterns), "oc destroy x");
    assert.equal(found("terraform destroy", ...patterns), "terraform destroy");
    assert.equal(found("helm delete x; oc scale x", ...patterns), "oc scale x");
    assert.equal(found("helm delete x", ...patterns), null);
  });

  test("a tool nobody knows that takes a command is a shell to rules that forbid", () => {
    const when = { detect: ["git_overwrites_remote"] } as const;
    assert.equal(holds(when, toolCall("mcp__box__run", { command: "git push -f" })), true);
    assert.equal(holds(when, toolCall("Bash", { input: "git push -f" })), true);
    assert.equal(holds(when, toolCall("local_shell", { command: ["bash", "-lc", "git push -f"] })), true);
    assert.equal(holds(when, toolCall("mcp__box__run", { command: "git", args: "push -f" })), true);
    assert.equal(holds(when, toolCall("apply_patch", { command: "git push -f" })), false);
  });

  test("a shell line is judged in the folder that is given with it", () => {
    const when = { detect: ["deletes_outside_project"] } as const;
    for (const name of ["cwd", "workdir", "working_directory", "workingDirectory"]) {
      assert.equal(holds(when, toolCall("Bash", { command: "rm -rf x", [name]: "/etc" })), true, name);
    }
  });
});

suite("a rule that allows", () => {
  const allows = (when: Rule["when"], action: Action) =>
    judge([{ when, behaviour: "allow" }], action) === "allow r1";

  test("a command covers exactly it, unless it ends in *", () => {
    const when = { command: ["git status", "git log *", "npm test"] };
    for (const line of [
      "git status",
      "git log",
      "git log --oneline -5",
      "git status && npm test",
      "npm test 2>&1",
    ]) {
      assert.equal(allows(when, shell(line)), true, line);
    }
    for (const line of [
      "git status; rm -rf /",
      "git status --short",
      "git status | sh",
      "git status > ~/.bashrc",
      "git status $(rm x)",
      "git -c core.fsmonitor=evil status",
      "GIT_PAGER=evil git log",
      "./git status",
      "git log $X",
      "sudo git status",
      "",
    ]) {
      assert.equal(allows(when, shell(line)), false, line);
    }
  });

  test("a text pattern covers a single command alone", () => {
    const when = { tool: "shell", args_pattern: "git status*" };
    assert.equal(allows(when, shell("git status --short")), true);
    for (const line of [
      "git status; rm -rf /",
      "git status && x",
      "git status | sh",
      "git status $(x)",
      "git status > x",
    ]) {
      assert.equal(allows(when, shell(line)), false, line);
    }
  });

  test("a path covers an action whose files all lie there, links resolved", () => {
    const when = { tool: "read|write", path: ["src/**"] };
    assert.equal(allows(when, toolCall("Read", { file_path: "src/a.ts" })), true);
    assert.equal(allows(when, toolCall("Read", { file_path: "src/../secret" })), false);
    assert.equal(allows(when, toolCall("Read", { paths: ["src/a", "/etc/x"] })), false);
    assert.equal(allows(when, toolCall("Read", {})), false);
    const linked = { ...place, realPath: (path: string) => path.replace("/src/link", "/etc") };
    const policy = policyOf({ when, behaviour: "allow" });
    assert.equal(said(policy.judge(toolCall("Read", { file_path: "src/link/x" }), linked)), "none");
  });
});

suite("paths that are forbidden", () => {
  const when = { path: ["secrets/**", "~/.netrc", "/**/*.pem", "!/**/public.pem"] };
  const names = (path: string) => toolCall("Read", { file_path: path });

  for (const path of [
    "secrets/a",
    "./secrets/a/b",
    "/srv/project/secrets",
    "src/../secrets/a",
    "SECRETS/A",
    "~/.netrc",
    "/home/user/.netrc",
    "/x/y.PEM",
    "file:///x/y.pem",
  ]) {
    test(`${path} is found`, () => assert.equal(holds(when, names(path)), true));
  }
  for (const path of [
    "src/secrets.ts",
    "/secrets/a",
    "other/secrets/a",
    "/x/public.pem",
    "~/x",
    "https://x/y.pem",
  ]) {
    test(`${path} is none`, () => assert.equal(holds(when, names(path)), false));
  }

  test("are found behind links, and where the file is not there yet", () => {
    const linked = {
      ...place,
      realPath: (path: string) => path.replace("/srv/project/l", "/srv/project/secrets"),
    };
    assert.equal(said(policyOf({ when }).judge(names("l/new"), linked)), "deny r1");
  });

  test("are found in patches, searches, other tools' arguments, and words of a shell line", () => {
    const patch = "*** Begin Patch\n*** Update File: secrets/a\n*** End Patch";
    assert.equal(holds(when, toolCall("apply_patch", { command: patch })), true);
    assert.equal(holds(when, toolCall("Grep", { pattern: "x", path: "secrets" })), true);
    assert.equal(holds({ path: ["/**/.env"] }, toolCall("Grep", { pattern: "x", glob: ".e*" })), true);
    assert.equal(holds({ path: ["/**/.ssh/**"] }, toolCall("Glob", { pattern: "~/.ssh/*" })), true);
    assert.equal(holds(when, toolCall("mcp__fs__move", { source: "a", destination: "secrets/a" })), true);
    assert.equal(holds(when, shell("cat < secrets/a")), true);
    assert.equal(holds(when, shell("cd secrets && cat a")), true);
  });

  test("write_path is about those an action would write", () => {
    const writes = { write_path: ["secrets/**"] };
    for (const action of [
      toolCall("Write", { file_path: "secrets/a" }),
      toolCall("apply_patch", { input: "*** Add File: secrets/a\n+x" }),
      shell("echo x > secrets/a"),
      shell("tee secrets/a"),
      shell("cp x secrets/a"),
      shell("mv secrets/a x"),
      shell("sed -i s/a/b/ secrets/a"),
      shell("rm secrets/a"),
      shell("python3 -c \"open('secrets/a', 'w')\""),
      shell("curl -o secrets/a https://x"),
    ]) {
      assert.equal(holds(writes, action), true, JSON.stringify(action.input));
    }
    assert.equal(holds(writes, toolCall("Read", { file_path: "secrets/a" })), false);
    assert.equal(holds(writes, shell("cat secrets/a")), false);
  });
});
