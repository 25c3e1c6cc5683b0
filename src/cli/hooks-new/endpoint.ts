/** Parts that programs which listen on loopback, and their tests, have in common. */

/** Reads a whole body, but not an endless one. */
export const readBody = `async function read(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > 1_048_576) throw new Error("the body is larger than 1 MiB");
  }
  return Buffer.concat(chunks);
}
`;

export function listen(port: number): string {
  return `server.listen(Number(process.env.PORT ?? ${port}), "127.0.0.1", () => {
  console.log("listening on http://127.0.0.1:" + server.address().port);
});
`;
}

/** Starts the program beside the test on any free port; `url` is where it listens. */
export function startProgram(name: string, env: string): string {
  return `const program = spawn(process.execPath, [join(import.meta.dirname, "${name}.mjs")], {
  env: { ...process.env, ${env} },
  stdio: ["ignore", "pipe", "inherit"],
});
after(() => program.kill());
const [line] = await once(createInterface({ input: program.stdout }), "line");
const url = line.replace("listening on ", "");
`;
}

export const testImports = `import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
`;
