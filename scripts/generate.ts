// Writes every generated file, and removes those that no table stands behind any more.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generatedFiles, generatedFolders } from "./generated-files.ts";

const root = join(import.meta.dirname, "..");
const files = generatedFiles();
for (const folder of generatedFolders) {
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder))) {
    if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
  }
}
for (const [path, content] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
process.stdout.write(`${files.size} files are up to date\n`);
