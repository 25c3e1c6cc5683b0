// Makes `dist`, and the package of the engine.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { buildBeside } from "./build-beside.mjs";

const root = join(import.meta.dirname, "..");

await buildBeside(join(root, "dist"), (dist) => {
  run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", dist);
  run("scripts/bundle.mjs", dist);
  run("dashboard/build.mjs", join(dist, "dashboard"));
});
run("packages/engine/build.mjs");

function run(script, ...args) {
  execFileSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: "inherit" });
}
