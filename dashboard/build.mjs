// Bundles the dashboard into the folder that is named, or into that of the last build.
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
await build({
  absWorkingDir: here,
  entryPoints: ["app.ts", "passkeys.ts", "app.css", "index.html", "icon.svg"].map((file) => `src/${file}`),
  outdir: process.argv[2] ?? join(here, "../dist/dashboard"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  loader: { ".html": "copy", ".svg": "copy" },
  logLevel: "warning",
});
