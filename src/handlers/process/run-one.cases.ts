// Runs the one process its first argument describes, in the sandbox its second one names, and prints the result.
import { type ProcessSpec, runProcess } from "./run-process.ts";
import { sandboxLimits } from "./sandbox.ts";

const [spec = "", sandbox = "off"] = process.argv.slice(2);
const limits = sandboxLimits(sandbox === "strict" ? "strict" : "off");
const result = await runProcess(JSON.parse(spec) as ProcessSpec, limits);
process.stdout.write(JSON.stringify(result));
