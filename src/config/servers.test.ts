import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { hookDigest, serverDigest } from "./digest.ts";
import { parse, problemOf, refusal } from "./harness.cases.ts";
import { loadConfig } from "./load.ts";
import { serversFor } from "./servers.ts";

const allowing = (...names: string[]) => ({
  env: { TOKEN: "t0ps3cret", EMPTY: "" },
  owner: "project" as const,
  allowedVariables: names,
});

test("a server is a program with its arguments, in a list or beside it, or an address", () => {
  const { servers } = parse(
    `mcp_servers:
  local: { command: node, args: [./server.mjs, ""], env: { TOKEN: "x\${TOKEN}" }, cwd: tools }
  listed: { command: [/opt/my tools/server, --stdio] }
  remote: { url: "https://\${TOKEN}.example/mcp", headers: { Authorization: "Bearer \${TOKEN}" },
            allow_private: [loopback, 10.0.0.0/8] }
`,
    allowing("TOKEN"),
  );
  const base = process.cwd();
  assert.deepEqual(servers, [
    {
      name: "local",
      source: { file: "swarm.yaml", line: 2, column: 3 },
      isUsers: false,
      transport: {
        kind: "stdio",
        argv: ["node", "./server.mjs", ""],
        env: { TOKEN: "xt0ps3cret" },
        cwd: join(base, "tools"),
      },
      written: {
        command: "node",
        args: ["./server.mjs", ""],
        env: { TOKEN: `x\${TOKEN}` },
        cwd: "tools",
      },
    },
    {
      name: "listed",
      source: { file: "swarm.yaml", line: 3, column: 3 },
      isUsers: false,
      transport: { kind: "stdio", argv: ["/opt/my tools/server", "--stdio"], env: {}, cwd: base },
      written: { command: ["/opt/my tools/server", "--stdio"] },
    },
    {
      name: "remote",
      source: { file: "swarm.yaml", line: 4, column: 3 },
      isUsers: false,
      transport: {
        kind: "http",
        url: "https://t0ps3cret.example/mcp",
        allowPrivate: ["loopback", "10.0.0.0/8"],
        headers: { Authorization: "Bearer t0ps3cret" },
      },
      written: {
        url: `https://\${TOKEN}.example/mcp`,
        headers: { Authorization: `Bearer \${TOKEN}` },
        allow_private: ["loopback", "10.0.0.0/8"],
      },
    },
  ]);
});

const refused: Readonly<Record<string, readonly [server: string, problem: string]>> = {
  "a server that is a text": ["a: node", "2:6: server a is a text of 4 characters, expected a map"],
  "a server with a misspelt key": [
    "a: { comand: x }",
    '2:8: unknown key "comand" in server a, did you mean "command"?',
  ],
  "a server without a way to it": ["a: { cwd: x }", "2:3: server a has no command and no url, expected one"],
  "a server with two ways to it": [
    "a: { command: x, url: http://a }",
    "2:20: command and url are both given, expected one of them",
  ],
  "a program's key beside an address": [
    "a: { url: http://a, env: {} }",
    "2:23: env has a meaning only beside command",
  ],
  "an address's key beside a program": [
    "a: { command: x, headers: {} }",
    "2:20: headers has a meaning only beside url",
  ],
  "two lists of arguments": [
    "a: { command: [x, y], args: [z] }",
    "2:25: args is given beside a command that is a list, expected one of them",
  ],
  "a line where a program is expected": [
    "a: { command: npx -y server }",
    '2:17: command is "npx -y server", expected a program: its arguments go into args',
  ],
  "a program without a name": ['a: { command: ["", x] }', "2:17: command begins with no program"],
  "a program that is nothing": [
    "a: { command: [] }",
    "2:17: command is a list, expected a program, or a list of it and its arguments",
  ],
  "a name with a space": [
    "a b: { command: x }",
    '2:3: server "a b" is not a name, expected 1 to 64 letters, digits, dots, _ or -',
  ],
  "a variable that is no name": [
    'a: { command: x, env: { "A=B": c } }',
    '2:25: "A=B" is not the name of an environment variable',
  ],
  "a number for a variable": [
    "a: { command: x, env: { A: 7 } }",
    "2:30: env is not usable, expected a map of texts; a number needs quotes",
  ],
  "an address of another kind": [
    "a: { url: ftp://a }",
    '2:13: url is "ftp://a", expected an http or https address',
  ],
  "an address with a password": [
    "a: { url: http://u:hunter2@a }",
    "2:13: url has a user name in it, expected an address without a user name; a header can carry credentials",
  ],
  "an address that may not be listed": [
    "a: { url: http://a, allow_private: [public] }",
    '2:38: allow_private has "public", expected an address, a block such as 10.0.0.0/8, loopback or private',
  ],
  "a header that begins another": [
    'a: { url: http://a, headers: { A: "b\\nC: d" } }',
    "2:32: header A has a line break or control character",
  ],
  "what only an event knows": [
    `a: { command: x, env: { A: "\${CLAUDE_PROJECT_DIR}" } }`,
    `2:25: \${CLAUDE_PROJECT_DIR} has no meaning for a server, which serves many projects`,
  ],
};

for (const [says, [server, problem]] of Object.entries(refused)) {
  test(`${says} is refused at its place`, () => {
    assert.equal(refusal(`mcp_servers:\n  ${server}\n`), problem);
  });
}

test("servers that are no map, and too many of them, are refused", () => {
  assert.equal(refusal("mcp_servers: [a]\n"), "1:14: mcp_servers is a list, expected a map of servers");
  const many = Array.from({ length: 101 }, (_, index) => `  s${index}: { command: x }\n`).join("");
  assert.equal(refusal(`mcp_servers:\n${many}`), "102:3: more than 100 servers, expected fewer");
});

test("a variable is read only when the user's file allows it, and never when it is empty", () => {
  const refusalOf = (variable: string, ...allowed: string[]) =>
    refusal(`mcp_servers:\n  a: { command: x, env: { A: "\${${variable}}" } }\n`, allowing(...allowed));
  assert.equal(
    refusalOf("TOKEN"),
    'SWARM_CONFIG_VARIABLE swarm.yaml:2:25: env A uses the variable "TOKEN", which env.allow of the user\'s file does not list',
  );
  assert.match(refusalOf("EMPTY", "EMPTY"), /env A uses the variable "EMPTY", which is not set$/);
});

test("a digest changes with all that decides what runs, and with no variable's value", () => {
  const digest = (entry: string, token = "a") => {
    const [server] = parse(`env: { allow: [T] }\nmcp_servers:\n  s: ${entry}\n`, {
      env: { T: token },
    }).servers;
    return server === undefined ? "" : serverDigest(server);
  };
  const entries = [
    "{ command: x }",
    "{ command: y }",
    "{ command: x, args: [a] }",
    "{ command: x, cwd: a }",
    "{ command: x, env: { NODE_OPTIONS: a } }",
    "{ url: http://a }",
    "{ url: http://b }",
    "{ url: http://a, headers: { a: b } }",
    "{ url: http://a, allow_private: [loopback] }",
  ];
  assert.equal(new Set(entries.map((entry) => digest(entry))).size, entries.length);
  const secret = `{ command: x, env: { A: '\${T}' } }`;
  assert.equal(digest(secret, "a"), digest(secret, "b"));
});

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-servers-")));
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "project"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const user = (text: string) => writeFileSync(join(root, "home", "config.yaml"), text);
const project = (text: string) => writeFileSync(join(root, "project", "swarm.yaml"), text);
const load = () => loadConfig({ home: join(root, "home"), cwd: join(root, "project"), env: {} });
const problem = () => problemOf(load).replaceAll(root, "");
const hook = (rest: string, name = "it") =>
  `hooks:\n  - { event: Stop, type: mcp_tool, tool: t, name: ${name}${rest} }\n`;

test("a project's hooks see its own servers and the user's, the user's hooks only the user's", () => {
  user(`${hook("", "mine")}mcp_servers:\n  own: { command: x }\n`);
  project(`${hook("", "theirs")}mcp_servers:\n  added: { command: y }\n`);
  const { hooks, servers } = load();
  assert.deepEqual(
    servers.map(({ name, isUsers, source }) => ({ name, isUsers, file: source.file.slice(root.length) })),
    [
      { name: "own", isUsers: true, file: "/home/config.yaml" },
      { name: "added", isUsers: false, file: "/project/swarm.yaml" },
    ],
  );
  assert.deepEqual(
    hooks.map((one) => [one.name, ...serversFor(one, servers).map(({ name }) => name)]),
    [
      ["mine", "own"],
      ["theirs", "own", "added"],
    ],
  );
});

test("a project's file cannot take over a server of the user's", () => {
  user("mcp_servers:\n  own: { command: x }\n");
  project("mcp_servers:\n  own: { command: evil }\n");
  const said = 'server "own" is already declared at /home/config.yaml:2:3, expected another name';
  assert.equal(problem(), `SWARM_CONFIG_INVALID /project/swarm.yaml:2:3: ${said}`);
});

test("a hook whose server is not declared is refused, with the nearest name", () => {
  user("mcp_servers:\n  tools: { command: x }\n");
  project(hook(", server: tolls"));
  const said = 'server "tolls" is not declared under mcp_servers, did you mean "tools"?';
  assert.equal(problem(), `SWARM_CONFIG_INVALID /project/swarm.yaml:2:5: ${said}`);
});

test("the user's hook cannot name a project's server", () => {
  user(hook(", server: added"));
  project("mcp_servers:\n  added: { command: x }\n");
  const said = 'server "added" is not declared under mcp_servers';
  assert.equal(problem(), `SWARM_CONFIG_INVALID /home/config.yaml:2:5: ${said}`);
});

test("a tool's name alone needs some server to be declared", () => {
  project("on_start: log\n");
  const said = 'tool "log" has no server, expected one declared under mcp_servers';
  assert.equal(problem(), `SWARM_CONFIG_INVALID /project/swarm.yaml:1:1: ${said}`);
});

test("a file for Claude Code names servers declared elsewhere: its hook is skipped, a guard is an error", () => {
  const file = (rest: object) =>
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "mcp_tool", server: "s", tool: "t", ...rest }] }] } });
  project(file({}));
  const { hooks, skipped } = load();
  assert.deepEqual(hooks, []);
  assert.deepEqual(
    skipped.map(({ nativeEvent, reason }) => ({ nativeEvent, reason })),
    [{ nativeEvent: "Stop", reason: 'server "s" is not declared under mcp_servers' }],
  );
  project(file({ onFailure: "block" }));
  assert.match(problem(), /server "s" is not declared under mcp_servers$/);
});

test("a server in a hook's digest is its name: the server has a digest of its own", () => {
  user(`${hook(", server: s")}mcp_servers:\n  s: { command: x }\n`);
  const [before] = load().hooks.map(hookDigest);
  user(`${hook(", server: s")}mcp_servers:\n  s: { command: y }\n`);
  assert.deepEqual(load().hooks.map(hookDigest), [before]);
});
