import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { bin, endOf, Place } from "./harness.ts";

const config = `policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
`;

interface Asked {
  readonly decision: { readonly verdict: string };
  readonly approval?: { readonly id: string };
}

/** A user's home with SWARM_HOME in its usual place, so that code can join its name. */
async function usualPlace(t: TestContext): Promise<Place> {
  const user = realpathSync(mkdtempSync(join(tmpdir(), "swarm-self-")));
  const place = new Place(t, undefined, join(user, ".swarm"));
  t.after(() => rmSync(user, { recursive: true, force: true }));
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, "config.yaml"), config);
  place.env.HOME = user;
  return place;
}

let calls = 0;

/** What an agent reads of a shell call it is about to make: deny, ask or nothing. */
async function judged(place: Place, command: string): Promise<{ verdict: string; reason: string }> {
  const child = place.start(process.execPath, [bin, "hook", "claude-code", "--guard"], { CLAUDECODE: "1" });
  const call = { hook_event_name: "PreToolUse", session_id: "s1", tool_use_id: `call_${++calls}` };
  const tool = { tool_name: "Bash", tool_input: { command } };
  child.stdin?.end(JSON.stringify({ ...call, ...tool, cwd: place.project }));
  const { stdout, stderr, status } = await endOf(child);
  assert.equal(status, 0, stderr);
  const answer = stdout === "" ? {} : (JSON.parse(stdout).hookSpecificOutput ?? {});
  return { verdict: answer.permissionDecision ?? "none", reason: answer.permissionDecisionReason ?? "" };
}

const ask = (place: Place) =>
  place.json<Asked>(
    "emit",
    "tool.before",
    "--data",
    '{"tool_name":"Bash","tool_input":{"command":"git push"}}',
  );

const body = '{"decision":"approved"}';
const root = dirname(dirname(bin));
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Code that decides over REST with options of `node:http`. */
const request = (options: string, id: string) =>
  `require('http').request({method:'POST',path:'/api/v1/approvals/${id}/decision',${options}},r=>r.resume()).end('${body}')`;

interface Way {
  readonly how: string;
  /** Where it is not installed, only the rules are tried. */
  readonly needs?: string;
  readonly rule: RegExp;
  line(id: string, port: number): string;
  /** Another line that is judged apart, and comes after it. */
  next?(id: string, port: number): string;
}

const bearer = (token: string) =>
  `headers:{authorization:'Bearer '+${token}.trim(),'content-type':'application/json'}`;
const readToken = (path: string) => `require('fs').readFileSync(${path},'utf8')`;

const ways: readonly Way[] = [
  {
    how: "node that joins the socket's path",
    rule: /self\/(?:decisions|secrets|folder)/,
    line: (id) =>
      `node -e ${quoted(request(`socketPath:process.env.HOME+'/.swarm/swarm.sock',headers:{'content-type':'application/json'}`, id))}`,
  },
  {
    how: "node that reads the token",
    rule: /self\/(?:decisions|secrets|folder)/,
    line: (id, port) =>
      `node -e ${quoted(request(`port:${port},${bearer(readToken("process.env.HOME+'/.swarm/token'"))}`, id))}`,
  },
  {
    how: "curl on $SWARM_HOME",
    needs: "curl",
    rule: /self\/(?:decisions|secrets)/,
    line: (id) =>
      `curl -s --unix-socket $SWARM_HOME/swarm.sock -X POST -H 'content-type: application/json' -d ${quoted(body)} http://localhost/api/v1/approvals/${id}/decision`,
  },
  {
    how: "python that joins the token's path",
    needs: "python3",
    rule: /self\/(?:decisions|secrets|folder)/,
    line: (id, port) =>
      `python3 -c ${quoted(`import os,urllib.request as u; t=open(os.path.join(os.environ['HOME'],'.swarm','token')).read().strip(); u.urlopen(u.Request('http://127.0.0.1:${port}/api/v1/approvals/${id}/decision', data=b'${body}', headers={'authorization':'Bearer '+t,'content-type':'application/json'}))`)}`,
  },
  {
    how: "a copy of the folder",
    needs: "curl",
    rule: /self\/folder/,
    line: () => "cp -r ~/.swarm x",
    // What comes after a copy that was refused has nothing to read, and is refused for what it asks of the daemon.
    next: (id, port) =>
      `curl -s -X POST -H "authorization: Bearer $(cat x/token)" -H 'content-type: application/json' -d ${quoted(body)} http://127.0.0.1:${port}/api/v1/approvals/${id}/decision`,
  },
  {
    how: "an import of our program",
    rule: /self\/decisions/,
    line: (id) =>
      `node --input-type=module -e ${quoted(`const {main} = await import('${root}/dist/bundle/daemon/main.js'); await main(['approvals','approve','${id}'])`)}`,
  },
  {
    how: "a link to our program",
    rule: /self\/decisions/,
    line: (id) => `ln -s ${bin} s; node s approvals approve ${id}`,
  },
];

suite("an agent cannot approve its own question", () => {
  for (const { how, needs = "bash", rule, line, next } of ways) {
    test(`by ${how}: refused with a daemon and without, and it would have worked`, async (t) => {
      const place = await usualPlace(t);
      const up = await place.up();
      const asked = await ask(place);
      const id = asked.approval?.id ?? assert.fail();
      assert.equal(asked.decision.verdict, "ask");
      const lines = [line(id, up.port), ...(next === undefined ? [] : [next(id, up.port)])];
      for (const command of lines) {
        const { verdict, reason } = await judged(place, command);
        assert.equal(verdict, "deny", command);
        assert.match(reason, command === lines[0] ? rule : /self\//);
      }
      assert.equal((await ask(place)).decision.verdict, "ask", "nothing was decided");

      // The same lines where no rule is asked: else the test would prove nothing.
      const env = { ...place.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
      const run = spawnSync("bash", ["-c", lines.join(" && ")], {
        cwd: place.project,
        env,
        encoding: "utf8",
      });
      const isThere = spawnSync(needs, ["--version"], { env }).status === 0;
      const { status } = await place.json<{ status: string }>("approvals", "show", id);
      if (isThere) assert.equal(status, "approved", `${run.stderr}\n${run.stdout}`);

      up.child.kill("SIGTERM");
      await up.ended;
      // Twice: by all of the program, and by what was kept of the rules.
      for (const time of ["first", "second"]) {
        for (const command of lines) assert.equal((await judged(place, command)).verdict, "deny", time);
      }
    });
  }
});

test("settings files that were installed where a variable says are protected there", async (t) => {
  const place = await usualPlace(t);
  const elsewhere = join(place.folder, "elsewhere");
  mkdirSync(elsewhere);
  place.env.CLAUDE_CONFIG_DIR = elsewhere;
  const installed = await place.swarm("install", "claude-code", "--yes");
  assert.equal(installed.status, 0, installed.stderr);
  const file = join(elsewhere, "settings.json");
  assert.match(readFileSync(file, "utf8"), /swarm-hook/);
  const hostile = [
    `echo '{}' > ${file}`,
    `rm -rf ${elsewhere}`,
    `mv ${elsewhere} x`,
    "rm $CLAUDE_CONFIG_DIR/settings.json",
  ];
  const innocent = [`cat ${file}`, `ls ${elsewhere}`, "echo x > settings.json"];
  const everywhere = async (when: string) => {
    for (const command of hostile)
      assert.equal((await judged(place, command)).verdict, "ask", `${when}: ${command}`);
    for (const command of innocent)
      assert.equal((await judged(place, command)).verdict, "none", `${when}: ${command}`);
  };
  await everywhere("without a daemon");
  await everywhere("without a daemon, again");
  await place.up();
  await everywhere("with a daemon");
});
