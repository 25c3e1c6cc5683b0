import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { serverSettings } from "./index.ts";
import type { ServerSettings, ToolServer } from "./tool-server.ts";

const server: ToolServer = {
  argv: ["/usr/bin/node", '/opt/a "b"/bin/swarm', "mcp"],
  env: { SWARM_HOME: "/home/ann/.swarm" },
  passes: ["SWARM_AGENT_TOKEN"],
};
const of = (agent: "claude-code" | "codex"): ServerSettings => serverSettings[agent] ?? assert.fail();

const texts = {
  "claude-code": [
    "",
    "{}",
    "{ }\n",
    '{"mcpServers":{}}',
    '{\n  "mcpServers": {}\n}\n',
    '{\n\t"numStartups": 3,\n\t"mcpServers": {\n\t\t"mine": { "command": "x" }\n\t},\n\t"projects": {}\n}',
    '{\r\n  "a": 1\r\n}\r\n',
    '\ufeff{"mcpServers":{"mine":{"command":"swarm","args":["mcp"]}}}',
  ],
  codex: [
    "",
    'model = "gpt"\n',
    'model = "gpt"',
    "\n\n",
    '[mcp_servers.mine]\r\ncommand = "x"\r\n',
    '[mcp_servers.swarm_other]\ncommand = "x"\n\n[projects."/p"]\ntrust_level = "trusted"\n',
  ],
} as const;

for (const agent of ["claude-code", "codex"] as const) {
  suite(`our MCP server in the settings of ${agent}`, () => {
    const { add, remove } = of(agent);
    for (const text of texts[agent]) {
      test(`is put into ${JSON.stringify(text)} once, and taken out to the byte`, () => {
        const added = add(text, server, "file");
        assert.match(added, /swarm"?,\s*"mcp"/);
        assert.equal(add(added, server, "file"), added, "a second time changes nothing");
        assert.equal(remove(added, "file"), text);
        assert.equal(remove(text, "file"), text, "there is nothing of ours in it");
      });
    }
  });
}

test("Claude Code is told the program, its arguments and the home", () => {
  const { mcpServers } = JSON.parse(of("claude-code").add('{"a":1}', server, "file")) as Record<
    string,
    object
  >;
  const [command, ...args] = server.argv;
  assert.deepEqual(mcpServers, { swarm: { type: "stdio", command, args, env: server.env } });
});

test("Codex is told to hand the token over, and what it wrote behind our lines stays", () => {
  const added = of("codex").add('model = "gpt"\n', server, "file");
  assert.match(added, /^\[mcp_servers\.swarm\]$/m);
  assert.match(added, /^env_vars = \["SWARM_AGENT_TOKEN"\]$/m);
  assert.match(added, /^args = \["\/opt\/a \\"b\\"\/bin\/swarm","mcp"\]$/m);
  const later = `${added}[projects."/p"]\ntrust_level = "trusted"\n`;
  assert.equal(
    of("codex").remove(later, "file"),
    'model = "gpt"\n[projects."/p"]\ntrust_level = "trusted"\n',
  );
});

test("another server of the same name is left alone, and nothing is added beside it", () => {
  const own = '{"mcpServers":{"swarm":{"command":"my-swarm"}}}';
  assert.throws(() => of("claude-code").add(own, server, "file"), { code: "SWARM_SETTINGS_INVALID" });
  assert.equal(of("claude-code").remove(own, "file"), own);
  for (const text of [
    '[mcp_servers.swarm]\ncommand = "x"\n',
    '[ mcp_servers . "swarm" ]\ncommand = "x"\n',
    '[mcp_servers]\nswarm = { command = "x" }\n',
    'mcp_servers = { mine = { command = "x" } }\n',
    'mcp_servers.swarm.command = "x"\n',
  ])
    assert.throws(() => of("codex").add(text, server, "file"), { code: "SWARM_SETTINGS_UNUSABLE" }, text);
});

test("lines of ours whose end is gone are left to their user", () => {
  const cut = of("codex")
    .add("", server, "file")
    .replace(/# swarm mcp: end\n/, "");
  assert.throws(() => of("codex").remove(cut, "file"), { code: "SWARM_SETTINGS_UNUSABLE" });
});
