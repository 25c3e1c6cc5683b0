// Bundles `swarm`: one file loads in a fifth of the time of 280. `swarm hook` is two programs: what asks the daemon, and what
// judges a call where there is none, which the first loads when it is needed. CommonJS, because an ES module loads every part of
// each of Node's own modules it imports from, 30 ms in all. And parses the policies that ship, for the same reason.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { keepDeclarations, keepModules, reachedFrom } from "./keep-reached.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
// The folder that `tsc` has written to.
const dist = process.argv[2] ?? `${root}/dist`;
const folder = `${dist}/bundle/hook`;

const commonJs = {
  absWorkingDir: dist,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22",
  mainFields: ["module", "main"],
  minifySyntax: true,
  minifyWhitespace: true,
  // Of code that throws Node prints the line: all on one, it would be 100 kB, and what it threw would not fit a pipe.
  lineLimit: 200,
  define: {
    "import.meta.url": "fileUrl",
    "import.meta.dirname": "__dirname",
    "import.meta.filename": "__filename",
  },
  logLevel: "warning",
};
// Strict, as modules are: behind anything else those words would be a text.
const banner = { js: '"use strict";const fileUrl=require("node:url").pathToFileURL(__filename).href;' };
for (const name of ["hook-program", "evaluate-hook"]) {
  await build({
    ...commonJs,
    // The first loads the other by `require`: an import would read all of it once more, for names.
    supported: { "dynamic-import": name === "evaluate-hook" },
    entryPoints: [`${dist}/cli/${name}.js`],
    outfile: `${folder}/${name}.js`,
    banner,
    external: ["./evaluate-hook.js"],
    plugins: [{ name: "places", setup: keepPlaces() }],
  });
}
// It is the nearest one above the bundles, which ask it for their version.
const { version } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
writeFileSync(`${folder}/package.json`, `${JSON.stringify({ type: "commonjs", version })}\n`);

// All other commands, and the process of a batch run: 20,000 records take less time than its start did.
for (const [name, entry] of [
  ["cli", "cli/main.js"],
  ["batch", "operations/batch/batch-runner.js"],
]) {
  await build({
    ...commonJs,
    entryPoints: [`${dist}/${entry}`],
    outfile: `${dist}/bundle/${name}/${basename(entry)}`,
    banner,
    plugins: [{ name: "places", setup: keepPlaces() }],
  });
  writeFileSync(`${dist}/bundle/${name}/package.json`, `${JSON.stringify({ type: "commonjs", version })}\n`);
}

/** What a program which imports this package can name. */
const exported = Object.values(JSON.parse(readFileSync(`${root}/package.json`, "utf8")).exports)
  .flatMap((one) => one.default ?? [])
  .map((path) => path.replace("./dist/", ""));

// The daemon: 0.3 s of start instead of 0.6. A function of the user's may import this package, and has to meet what runs: what
// the package exports is not bundled, so there is one of it.
await build({
  ...commonJs,
  format: "esm",
  define: {},
  entryPoints: [`${dist}/cli/main.js`],
  outfile: `${dist}/bundle/daemon/main.js`,
  banner: {
    js: 'const require=process.getBuiltinModule("node:module").createRequire(import.meta.url);',
  },
  plugins: [{ name: "places", setup: keepPlaces(await reachedFrom(dist, exported), requireBuiltins) }],
});

/** Imported by an ES module, each of Node's own is read whole for its names; of `node:http` that loads all of `fetch`, 35 ms. */
function requireBuiltins(text) {
  return text.replace(
    /^import (?:(\{[^}]*\})|(?:\* as )?(\w+)) from "(node:[^"]+)";/gm,
    (line, names, name, path) => {
      if (names?.includes("default")) throw new Error(`not known how to load: ${line}`);
      return `const ${name ?? names.replaceAll(" as ", ": ")} = process.getBuiltinModule("${path}");`;
    },
  );
}

/**
 * A module finds the files beside it from where it was, two folders below `dist/bundle`; packages stay where they are, and so
 * do the modules that are to be `kept`.
 */
function keepPlaces(kept = new Set(), change = (text) => text) {
  const bundled = ["yaml", "jsonc-parser"];
  return ({ onLoad, onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || bundled.includes(path) ? undefined : { path, external: true },
    );
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const within = relative(dist, resolve(resolveDir, path));
      return kept.has(within) ? { path: `../../${within}`, external: true } : undefined;
    });
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const within = relative(dist, path);
      // A package's, or one that writes programs: what those say of their place is theirs.
      if (within.startsWith("..") || within.startsWith("cli/hooks-new/")) return undefined;
      const at = `../../${within}`;
      const contents = change(readFileSync(path, "utf8"))
        .replaceAll("import.meta.dirname", `(import.meta.dirname+"/${dirname(at)}")`)
        .replaceAll("import.meta.filename", `(import.meta.dirname+"/${at}")`)
        .replaceAll("import.meta.url", `new URL("${at}",import.meta.url).href`);
      return { contents };
    });
  };
}

const { readDocument } = await import(`${dist}/config/document.js`);
mkdirSync(`${dist}/policies`, { recursive: true });
for (const file of globSync(`${root}/policies/*.yaml`)) {
  const text = readFileSync(file, "utf8");
  const parsed = { text, document: readDocument(file, text) };
  writeFileSync(`${dist}/policies/${basename(file, ".yaml")}.json`, JSON.stringify(parsed));
}

// All else is in the bundles. What is started by itself, in a thread or a process of its own:
const programs = [
  "operations/batch/processors/node-worker.js",
  "operations/drift/worker.js",
  "record/audit/thread/verify-worker.js",
  "record/audit/thread/worker.js",
  "record/pdf/audit-pdf-worker.js",
];
await keepModules(dist, [...exported, ...programs], ["bundle"]);
keepDeclarations(
  dist,
  exported.map((file) => file.replace(/\.js$/, ".d.ts")),
);
