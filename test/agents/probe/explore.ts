import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ModelServer } from "../../../src/verify/model-server/model-server.ts";
import { programOf, type RealAgent } from "../install-agents.ts";
import { Person } from "../person.ts";
import { probedAgents } from "./probed-agents.ts";

for (const agent of process.argv.slice(2) as RealAgent[]) {
  const person = new Person(agent);
  const marker = join(person.project, "touched");
  const log = join(person.home, "hooks.jsonl");
  writeFileSync(
    join(person.home, ".swarm/config.yaml"),
    `hooks:\n  - {event: tool.before, type: script, name: dump, command: 'cat >> ${log}; echo >> ${log}'}\n`,
  );
  const inst = person.swarm("install", agent, "--yes");
  if (inst.status !== 0) console.log(inst.stderr);
  const probed = probedAgents[agent];
  probed.configure(person, [process.execPath, join(import.meta.dirname, "mcp-server.mjs"), marker]);
  let names: string[] = [];
  const model = await ModelServer.start((turn) => {
    const all = turn.tools.map((t) => (t.namespace ? `${t.namespace}::${t.name}` : t.name));
    if (all.length > names.length) names = all;
    const touch = turn.tools.find(({ name, namespace }) => /touch/.test(name));
    if (touch === undefined || turn.toolResults.length > 0) return { text: "done" };
    return {
      tool: touch.name,
      ...(touch.namespace ? { namespace: touch.namespace } : {}),
      input: { note: "x" },
    };
  });
  const spec = programOf(agent).headless("go", model.address);
  const args = probed.args?.(spec.args) ?? [...spec.args];
  const child = spawn(person.program(agent), args, {
    cwd: person.project,
    env: { ...person.env, ...probed.env, ...spec.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.on("data", (c) => (out += c));
  child.stderr.on("data", (c) => (out += c));
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  await once(child, "exit");
  clearTimeout(timer);
  await model.close();
  console.log("==", agent, "ran:", existsSync(marker));
  console.log(JSON.stringify(names));
  console.log(JSON.stringify(model.toolResults).slice(0, 500));
  console.log(out.slice(-400));
  console.log(existsSync(log) ? readFileSync(log, "utf8") : "no hooks");
  await person.leave();
}
