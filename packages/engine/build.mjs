// The engine as a package of its own: what the entry points lead to, as small JavaScript and as declarations. The compiler
// knows the web's types here and none of Node's.
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildBeside } from "../../scripts/build-beside.mjs";
import { keepDeclarations } from "../../scripts/keep-reached.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const entries = ["index", "engine/events/index", "engine/testing/index"];

await buildBeside(join(here, "dist"), async (dist) => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const declarations = [
    "--outDir",
    dist,
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--stripInternal",
  ];
  execFileSync(
    process.execPath,
    [tsc, "-p", here, ...declarations, "--allowImportingTsExtensions", "false"],
    {
      stdio: "inherit",
    },
  );
  keepDeclarations(
    dist,
    entries.map((entry) => `${entry}.d.ts`),
  );

  await build({
    absWorkingDir: dist, // names of chunks depend on where the folder is seen from
    entryPoints: entries.map((entry) => `${root}/src/${entry}.ts`),
    outdir: dist,
    outbase: `${root}/src`,
    bundle: true,
    splitting: true,
    platform: "browser",
    format: "esm",
    target: "es2023",
    minify: true,
    keepNames: true,
    logLevel: "warning",
  });
});
copyFileSync(join(root, "LICENSE"), join(here, "LICENSE"));
