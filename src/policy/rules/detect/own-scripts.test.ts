import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { loadPolicyFile } from "../../../config/policy/load-policy.ts";
import { placeIn } from "../judge.ts";

const file = join(import.meta.dirname, "../../../../test/policies/self.yaml");

suite("a script that an earlier call has written is judged when it is run", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-scripts-")));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const [home, project] = [join(folder, "user"), join(folder, "project")] as const;
  for (const name of [home, project, join(project, "sub")]) mkdirSync(name);
  const { policy } = loadPolicyFile(file, { home, swarmHome: join(home, ".swarm") });
  const place = placeIn(project, home);
  const judged = (command: string): string => {
    const action = { event: "tool.before", kind: "shell", name: "Bash", input: { command } } as const;
    const found = policy?.judge({ ...action, agents: [], role: null, nowMs: 0 }, place) ?? null;
    return found === null ? "none" : `${found.behaviour} ${found.rule.id}`;
  };
  const write = (name: string, text: string) => writeFileSync(join(project, name), text);

  const hostile = {
    "a.sh": "#!/bin/sh\nswarm approvals approve apr_1\n",
    "a.js": "require('child_process').execFileSync(process.env.X, ['approvals', 'approve', 'apr_1'])\n",
    "b.js": "fetch(base + '/api/v1/approvals/' + id + '/decision', { method: 'POST' })\n",
    "c.js": "fs.readFileSync(process.env.HOME + '/.sw' + 'arm/token')\n",
    "a.py": "open(os.path.join(os.environ['HOME'], '.swarm', 'token')).read()\n",
    "b.py": "sqlite3.connect(os.environ['SWARM_HOME'] + '/swarm.db')\n",
    "sub/a.rb": "exec(*%w[s approvals approve apr_1])\n",
  };
  for (const [name, text] of Object.entries(hostile)) write(name, text);
  for (const line of [
    ...[
      "sh a.sh",
      "bash ./a.sh",
      "./a.sh",
      ". ./a.sh",
      "source a.sh",
      "node a.js",
      "node --no-warnings b.js",
      "bun run c.js",
    ],
    ...[
      "python3 a.py",
      "env X=1 python3 -u b.py",
      "cd sub && ruby a.rb",
      "nohup node a.js &",
      "deno run c.js",
      "bash -x a.sh",
    ],
  ]) {
    test(line, () => assert.equal(judged(line), "ask self/scripts"));
  }

  test("make and npm run what their files say", () => {
    write("Makefile", "all:\n\tswarm approvals approve x\n");
    write("package.json", '{"scripts": {"t": "swarm approvals approve x"}}');
    for (const line of ["make", "make all", "npm run t", "pnpm t"])
      assert.equal(judged(line), "ask self/scripts");
    write("Makefile", "all:\n\tcc -o x x.c\n");
    write("package.json", '{"scripts": {"t": "swarm status"}}');
    for (const line of ["make", "npm run t", "npm test"]) assert.equal(judged(line), "none");
  });

  test("scripts that mention our program are run", () => {
    write(
      "ok.sh",
      "#!/bin/sh\nexport SWARM_HOME=$(mktemp -d)\nswarm up --detach\nswarm approvals list\nls ~/.swarm\n",
    );
    write("ok.js", "import { createHooks } from 'swarm-hooks';\nconst token = process.env.TOKEN;\n");
    for (const line of ["sh ok.sh", "./ok.sh", "node ok.js", "node none.js", "sh sub", "python3 /dev/null"]) {
      assert.equal(judged(line), "none", line);
    }
  });
});
