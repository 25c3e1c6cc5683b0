// Runs the one process its argument describes, and prints the result.
import { type ProcessSpec, runProcess } from "./run-process.ts";

const result = await runProcess(JSON.parse(process.argv[2] ?? "") as ProcessSpec);
process.stdout.write(JSON.stringify(result));
