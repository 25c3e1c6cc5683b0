// Makes the real agents write transcripts, for src/agents/scan/transcripts/fixtures: node test/agents/record-transcripts.ts FOLDER
// [AGENT…]. Programs are found as `swarm verify` finds them. Paths become /home/dev, long texts are cut.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { agentNames } from "../../src/agents/port/agents.ts";
import type { AgentProgram } from "../../src/agents/verify/agents/agent-program.ts";
import { agentPrograms } from "../../src/agents/verify/agents/agent-programs.ts";
import { findProgram } from "../../src/agents/verify/find-program.ts";
import {
  callsInOrder,
  type ModelScript,
  type ToolCall,
} from "../../src/agents/verify/model-server/script.ts";
import { runAgent } from "../../src/agents/verify/run-agent.ts";
import { Workplace } from "../../src/agents/verify/workplace.ts";

const [out = "", ...chosen] = process.argv.slice(2);

async function record(profile: AgentProgram): Promise<void> {
  const program = findProgram(profile, process.env);
  if (program === null) return console.log(`${profile.agent}: its program was not found`);
  const place = new Workplace();
  const { project, agentHome } = place;
  try {
    writeFileSync(join(project, ".env"), "A=1\n");
    mkdirSync(join(place.folder, "outside"));
    const folders = { home: place.folder, project, env: process.env };
    profile.copySettings([], folders, place);
    trustProject(agentHome, project);
    const { ending } = await runAgent(
      { profile, program, place, ...folders },
      "clean up",
      scriptFor(profile, project),
    );
    const count = keepFiles(place, join(out, profile.agent));
    console.log(`${profile.agent}: ${ending}, ${count} files`);
  } finally {
    place.remove();
  }
}

/** Tools besides the shell, by what each agent calls them. */
const files: Readonly<Record<string, (path: (name: string) => string) => ToolCall[]>> = {
  "claude-code": (path) => [
    { tool: "Read", input: { file_path: path(".env") } },
    { tool: "Write", input: { file_path: path("made.txt"), content: "x\n" } },
  ],
  codex: () => [
    {
      tool: "exec_command",
      input: { cmd: "apply_patch <<'E'\n*** Begin Patch\n*** Add File: made.txt\n+x\n*** End Patch\nE" },
    },
  ],
  copilot: (path) => [
    { tool: "view", input: { path: path(".env") } },
    { tool: "create", input: { path: path("made.txt"), file_text: "x\n" } },
  ],
  opencode: (path) => [
    { tool: "read", input: { filePath: path(".env") } },
    { tool: "write", input: { filePath: path("made.txt"), content: "x\n" } },
  ],
};
const googleFiles = (path: (name: string) => string): ToolCall[] => [
  { tool: "read_file", input: { file_path: path(".env") } },
  { tool: "write_file", input: { file_path: path("made.txt"), content: "x\n" } },
];

/** The subagent first: a run that ends does not wait for it everywhere. */
function scriptFor(profile: AgentProgram, project: string): ModelScript {
  const task = "look at the settings";
  const tools = (files[profile.agent] ?? googleFiles)((name) => join(project, name));
  const commands = ["git push --force origin main", "cat .env", "rm -rf ../outside"];
  const main = callsInOrder([...profile.subagent(task), ...commands.map(profile.shell), ...tools]);
  const below = callsInOrder([profile.shell("cat .env.local")]);
  return (turn) => (turn.prompts.some((prompt) => prompt.includes(task)) ? below(turn) : main(turn));
}

/** Gemini CLI does not start in a folder nobody has trusted. */
function trustProject(agentHome: string, project: string): void {
  if (!existsSync(join(agentHome, ".gemini"))) return;
  writeFileSync(
    join(agentHome, ".gemini/trustedFolders.json"),
    JSON.stringify({ [project]: "TRUST_FOLDER" }),
  );
}

/** Transcripts, and what says which project they are of. */
const kept =
  /(?:^|\/)(?:projects\/.*|sessions\/.*|chats\/.*|session-state\/.*\/events)\.jsonl?$|tmp\/.*\.project_root$|opencode\.db$/;

function keepFiles(place: Workplace, folder: string): number {
  rmSync(folder, { recursive: true, force: true });
  const names = readdirSync(place.agentHome, { recursive: true, encoding: "utf8" }).filter(
    (name) => kept.test(name) && !name.endsWith(".meta.json"),
  );
  const dashed = place.folder.replaceAll(/[^a-zA-Z0-9]/g, "-");
  const here = (text: string) =>
    text
      .replaceAll(place.folder, "/home/dev")
      .replaceAll(dashed, "-home-dev")
      .replaceAll(realpathSync(homedir()), "/home/dev");
  for (const name of names) {
    const [from, to] = [join(place.agentHome, name), join(folder, here(name))];
    mkdirSync(dirname(to), { recursive: true });
    if (name.endsWith(".db")) writeFileSync(to.replace(/db$/, "sql"), here(dump(from)));
    else writeFileSync(to, here(readFileSync(from, "utf8")).split("\n").map(shortLine).join("\n"));
  }
  return names.length;
}

const maxChars = 120;

function shortLine(line: string): string {
  if (!line.startsWith("{")) return line;
  return JSON.stringify(shortened(JSON.parse(line)));
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length <= maxChars ? value : `${value.slice(0, 40)}…`;
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part)]));
}

/** The tables of conversations as SQL. */
function dump(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  const lines: string[] = [];
  for (const table of ["session", "message", "part"]) {
    const { sql } = database.prepare("select sql from sqlite_master where name = ?").get(table) ?? {};
    lines.push(`${String(sql).replaceAll(/\s+/g, " ")};`);
    for (const row of database.prepare(`select * from ${table} order by id`).iterate()) {
      const values = Object.values(row).map((value) =>
        typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value),
      );
      lines.push(`insert into ${table} values (${values.join(", ")});`);
    }
  }
  database.close();
  return `${lines.join("\n")}\n`;
}

for (const name of chosen.length === 0 ? agentNames : agentNames.filter((agent) => chosen.includes(agent))) {
  const profile = agentPrograms[name];
  if (!("unprovable" in profile)) await record(profile);
}
