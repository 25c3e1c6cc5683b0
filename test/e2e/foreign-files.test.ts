import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { suite, test } from "node:test";
import { bin, type Ended, endOf, Place } from "./harness.ts";

/** What stands in every file that a project must not have printed. No form of a secret knows it. */
const canary = "kanarie7f3a";

/** Contents that have been printed in one way or another: as a text, a key, a value, or by a parser. */
const contents: Readonly<Record<string, string>> = {
  token: `${canary}\n`,
  key: `-----BEGIN ${canary} KEY-----\n${canary}\n-----END ${canary} KEY-----\n`,
  npmrc: `//registry.example/:_authToken=${canary}\n${canary}=1\n`,
  map: `${canary}: 1\nother: ${canary}\n`,
  json: JSON.stringify({ auths: { [canary]: { auth: canary } } }),
  broken: `{"a": ${canary}, "${canary}\n`,
  yaml: `a: !${canary} |${canary}\n  *${canary}\n`,
};

/** Valid at the top, so that errors below it would quote: a link to such a file says nothing of it either. */
const lookalikes: Readonly<Record<string, string>> = {
  hooks: `hooks: [{ event: ${canary}, type: ${canary}, name: ${canary} }]\n`,
  claude: JSON.stringify({
    hooks: { PreToolUse: [{ matcher: canary, hooks: [{ type: canary, [canary]: 1 }] }] },
  }),
  rules: `rules: [{ id: ${canary}, behaviour: ${canary} }]\n`,
  server: `mcp_servers: { a: { command: "${canary} ${canary}" } }\n`,
  pipeline: `pipelines: { p: { steps: { "${canary} x": { run: ${canary} } } } }\n`,
};

interface Project {
  readonly folder: string;
  /** Writes a file of the project. */
  write(name: string, text: string): void;
  /** A file outside with this content; its path. */
  outside(text: string): string;
}

const useOf = (path: string): string => `policy: { use: ${JSON.stringify([path])} }\n`;
const hookOf = (rest: string): string =>
  `hooks: [{ event: tool.before, type: command, name: it, on_failure: deny, ${rest} }]\n`;

/** Every way a project can name a file, with the content it has. */
const references: Readonly<Record<string, (project: Project, text: string) => void>> = {
  "swarm.yaml is a link": ({ folder, outside }, text) =>
    symlinkSync(outside(text), join(folder, "swarm.yaml")),
  "swarm.yaml is a link to a link": ({ folder, outside }, text) => {
    symlinkSync(outside(text), join(folder, "middle"));
    symlinkSync("middle", join(folder, "swarm.yaml"));
  },
  "swarm.yaml is a link within the project": ({ folder, write }, text) => {
    write("other.yaml", text);
    symlinkSync("other.yaml", join(folder, "swarm.yaml"));
  },
  "swarm.yaml is a hard link": ({ folder, outside }, text) =>
    linkSync(outside(text), join(folder, "swarm.yaml")),
  "a policy by a relative path": ({ folder, write, outside }, text) =>
    write("swarm.yaml", useOf(relative(folder, outside(text)))),
  "a policy by its whole path": ({ write, outside }, text) => write("swarm.yaml", useOf(outside(text))),
  "a policy that is a link": ({ folder, write, outside }, text) => {
    symlinkSync(outside(text), join(folder, "p.yaml"));
    write("swarm.yaml", useOf("./p.yaml"));
  },
  "a policy that is a link within the project": ({ folder, write }, text) => {
    write("other.yaml", text);
    symlinkSync("other.yaml", join(folder, "p.yaml"));
    write("swarm.yaml", useOf("./p.yaml"));
  },
  "a policy that is a hard link": ({ folder, write, outside }, text) => {
    linkSync(outside(text), join(folder, "p.yaml"));
    write("swarm.yaml", useOf("./p.yaml"));
  },
  "a policy below a folder that is a link": ({ folder, write, outside }, text) => {
    const file = outside(text);
    symlinkSync(join(file, ".."), join(folder, "up"));
    write("swarm.yaml", useOf(`./up/${file.split("/").at(-1)}`));
  },
  "a policy that a policy uses": ({ folder, write, outside }, text) => {
    write("p.yaml", `use: ${JSON.stringify(relative(folder, outside(text)))}\n`);
    write("swarm.yaml", useOf("./p.yaml"));
  },
};

/** Ways in which nothing is wrong with the configuration, and the file is shown to whoever approves it. */
const covered: Readonly<Record<string, (project: Project, text: string) => void>> = {
  "a program that is a link": ({ folder, write, outside }, text) => {
    symlinkSync(outside(text), join(folder, "run.sh"));
    write("swarm.yaml", hookOf("args: [sh, ./run.sh]"));
  },
  "a program outside": ({ folder, write, outside }, text) =>
    write("swarm.yaml", hookOf(`args: [sh, ${JSON.stringify(relative(folder, outside(text)))}]`)),
  "a declared file that is a link": ({ folder, write, outside }, text) => {
    symlinkSync(outside(text), join(folder, "data"));
    write("swarm.yaml", hookOf("command: 'true', files: [data]"));
  },
  "a file of a server": ({ folder, write, outside }, text) => {
    symlinkSync(outside(text), join(folder, "server.mjs"));
    write(
      "swarm.yaml",
      "hooks: [{ event: tool.before, type: mcp_tool, name: it, tool: t, on_failure: deny }]\nmcp_servers: { s: { command: [node, ./server.mjs] } }\n",
    );
  },
  "a file of a pipeline": ({ folder, write, outside }, text) => {
    symlinkSync(outside(text), join(folder, "step.sh"));
    write("swarm.yaml", "pipelines: { p: { steps: { a: { run: [sh, ./step.sh], metrics: m.json } } } }\n");
    symlinkSync(outside(text), join(folder, "m.json"));
  },
};

/** Paths of all routes that can be asked without knowing an id. */
function readRoutes(): string[] {
  const file = join(import.meta.dirname, "../../schema/generated/openapi.json");
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as { paths: Record<string, { get?: object }> };
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined || path.includes("{") ? [] : path,
  );
}

class Machine {
  readonly place: Place;
  #projects = 0;

  constructor(place: Place) {
    this.place = place;
  }

  project(): Project {
    const folder = join(this.place.folder, `project${++this.#projects}`);
    mkdirSync(folder);
    let files = 0;
    return {
      folder,
      write: (name, text) => writeFileSync(join(folder, name), text),
      outside: (text) => {
        const file = join(this.place.home, `secret${this.#projects}-${++files}`);
        writeFileSync(file, text);
        return file;
      },
    };
  }

  run(cwd: string, args: readonly string[], input = ""): Promise<Ended> {
    const env = { ...this.place.env, HOME: this.place.folder, SECRET_OF_MINE: canary };
    const child = spawn(process.execPath, [bin, ...args], { cwd, env });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    return endOf(child);
  }

  /** One tool call as an agent makes it. */
  hook(cwd: string, agent: string, ...args: string[]): Promise<Ended> {
    const call = {
      session_id: "s",
      cwd,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    };
    return this.run(cwd, ["hook", agent, "--guard", ...args], JSON.stringify(call));
  }

  /** Every file of SWARM_HOME, the record and its journal with it, but for the ones the canary was put into. */
  keptFiles(folder = this.place.home): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return this.keptFiles(path);
      return entry.isFile() && !entry.name.startsWith("secret") && readFileSync(path).includes(canary)
        ? [path]
        : [];
    });
  }
}

function quiet(ended: Ended, what: string): void {
  const all = ended.stdout + ended.stderr;
  assert.ok(!all.includes(canary), `${what}: ${all}`);
}

const looks = [["status"], ["doctor"], ["policy", "check"], ["trust", "--show"], ["pipelines", "list"]];

async function look(machine: Machine, folder: string, what: string): Promise<void> {
  for (const args of looks) quiet(await machine.run(folder, args), `${what}: ${args.join(" ")}`);
}

/** What agents and REST are told of a project. */
async function examine(
  machine: Machine,
  { folder }: Project,
  what: string,
  { port, token, agents }: { port: number | null; token: string; agents: readonly string[] },
) {
  for (const agent of agents) {
    const ended = await machine.hook(folder, agent, ...(port === null ? ["--no-daemon"] : []));
    quiet(ended, `${what}: ${agent}`);
    if (agent === "claude-code")
      assert.ok(ended.status === 2 || ended.stdout.includes('"deny"'), `${what}: ${JSON.stringify(ended)}`);
  }
  if (port === null) return;
  for (const path of readRoutes()) {
    const address = `http://127.0.0.1:${port}${path}?cwd=${encodeURIComponent(folder)}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    const body = await answer.text();
    assert.ok(!body.includes(canary), `${what}: GET ${path}: ${body}`);
  }
}

for (const isUp of [true, false]) {
  suite(`what a project names is printed nowhere, ${isUp ? "by a daemon" : "without one"}`, () => {
    test("whatever it holds: to the agent, in the record, over REST, by commands, in logs", async (t) => {
      const place = new Place(t);
      mkdirSync(place.home, { recursive: true });
      const machine = new Machine(place);
      let errors = "";
      const daemon = isUp ? await place.up() : null;
      daemon?.child.stderr?.on("data", (chunk) => {
        errors += chunk;
      });
      const { token } = await place.json<{ token: string }>("tokens", "add", "v", "--role", "viewer");
      const port = daemon?.port ?? null;
      const [first = "", ...others] = Object.keys(contents);
      let turn = 0;
      for (const [reference, make] of Object.entries({ ...references, ...covered })) {
        // Every content with every reference is in the tests of the configuration; here they take turns.
        const names = [first, others[turn++ % others.length] ?? first];
        const texts = names.map((name) => [name, contents[name] ?? ""]);
        const lookalike = Object.entries(lookalikes)[turn % Object.keys(lookalikes).length];
        if (reference.includes("link within") && lookalike !== undefined) texts.push(lookalike);
        for (const [content = "", text = ""] of texts) {
          const project = machine.project();
          make(project, text);
          const what = `${reference}, ${content}`;
          const agents = reference.includes("pipeline")
            ? []
            : content === first
              ? ["claude-code", "copilot"]
              : ["claude-code"];
          await examine(machine, project, what, { port, token, agents });
          // With a daemon commands say what its routes say.
          if (content === first && !isUp) await look(machine, project.folder, what);
        }
      }
      quiet(await machine.run(place.project, ["audit", "export"]), "the export");
      quiet(await machine.run(place.project, ["logs", "--limit", "1000", "--json"]), "the log");
      assert.ok(!errors.includes(canary), errors);
      assert.ok(!(daemon?.printed() ?? "").includes(canary));
      assert.deepEqual(machine.keptFiles(), []);
    });
  });
}

test("nor is the environment of a process, a pipe waited for, or a device, a folder or a large file read", async (t) => {
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true });
  const machine = new Machine(place);
  const daemon = place.start(process.execPath, [bin, "up", "--port", "0"], { SECRET_OF_MINE: canary });
  await new Promise((resolve) => daemon.stdout?.once("data", resolve));
  const large = join(place.folder, "large");
  writeFileSync(large, `${canary}\n`);
  truncateSync(large, 3 * 1024 ** 3);
  const pipe = join(place.folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const target of ["/proc/self/environ", "/dev/zero", "/dev/stdin", large, pipe, place.home]) {
    for (const way of ["link", "use", "inside"]) {
      const project = machine.project();
      if (way === "link") symlinkSync(target, join(project.folder, "swarm.yaml"));
      else project.write("swarm.yaml", useOf(way === "use" ? target : "./thing"));
      if (way === "inside") symlinkSync(target, join(project.folder, "thing"));
      for (const args of [[], ["--no-daemon"]]) {
        const ended = await machine.hook(project.folder, "claude-code", ...args);
        quiet(ended, `${target} ${way}`);
        assert.match(
          ended.stderr + ended.stdout,
          /leads out of the project|cannot be read: ENOENT/,
          `${target} ${way}`,
        );
      }
    }
  }
  // The same things in the project itself.
  for (const make of [
    (folder: string) => execFileSync("mkfifo", [join(folder, "swarm.yaml")]),
    (folder: string) => mkdirSync(join(folder, "swarm.yaml")),
    (folder: string) => {
      writeFileSync(join(folder, "swarm.yaml"), `${canary}\n`);
      truncateSync(join(folder, "swarm.yaml"), 3 * 1024 ** 3);
    },
  ]) {
    const { folder } = machine.project();
    make(folder);
    for (const args of [[], ["--no-daemon"]]) {
      const ended = await machine.hook(folder, "claude-code", ...args);
      quiet(ended, "in the project");
      assert.match(ended.stderr + ended.stdout, /not a file|larger than/);
    }
  }
  assert.deepEqual(machine.keptFiles(), []);
});

test("nor does a command quote a file that it is given and that is something else", async (t) => {
  const place = new Place(t);
  const machine = new Machine(place);
  mkdirSync(join(place.folder, "plugin", ".claude-plugin"), { recursive: true });
  for (const [content, text] of Object.entries(contents)) {
    const file = join(place.folder, `file-${content}`);
    writeFileSync(file, text);
    writeFileSync(join(place.folder, "plugin", "swarm-plugin.json"), text);
    for (const args of [
      ...[
        ["policy", "check", file],
        ["policy", "test", file],
        ["scan", "--policy", file],
        ["cron", "import", file],
      ],
      ...[
        // What is JSON is what is to be emitted.
        ["emit", "tool.before", "--data", content === "json" ? "@none" : `@${file}`],
        ["plugins", "add", join(place.folder, "plugin"), "--yes"],
      ],
      ...[
        ["audit", "verify", "--file", file],
        ["audit", "verify", "--anchor", file],
        ["audit", "verify", "--key", file, "--file", file],
      ],
      ["batch", "submit", "--input", "none.jsonl", "--processor", "echo", "--config", `@${file}`],
    ]) {
      const ended = await machine.run(place.project, args);
      assert.notEqual(ended.status, 0, args.join(" "));
      quiet(ended, args.join(" "));
    }
  }
  assert.ok(statSync(place.home).isDirectory());
  assert.deepEqual(machine.keptFiles(), []);
});
