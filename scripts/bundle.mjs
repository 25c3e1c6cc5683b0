// Bundles `swarm`: without a daemon an agent waits for `swarm hook` on every tool call, and one file loads in a fifth of the
// time of 280. Of that two programs: what most calls need, and the rest, which the first loads for a call that needs it. What
// judges by rules is in the first, and run when a rule is asked: in a file of its own it would have 68 kB of the other's modules
// once more, 3 to 4 ms. CommonJS, because an ES module loads every part of each of Node's own modules it imports from, 30 ms in all.
// And parses the policies that ship, for the same reason.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}/dist`;
const folder = `${dist}/bundle/hook`;

const commonJs = {
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
mkdirSync(folder, { recursive: true });
for (const name of ["hook-program", "evaluate-hook"]) {
  // The first loads the other, and Node's own: by `require`, because an import would read all of it once more, for names.
  const supported = { "dynamic-import": name === "evaluate-hook" };
  const { outputFiles } = await build({
    ...commonJs,
    write: false,
    supported,
    // A fifth less to read, and 3 ms of a call; what goes wrong in the large one is easier to find by its names.
    minifyIdentifiers: name !== "evaluate-hook",
    entryPoints: [`${dist}/cli/${name}.js`],
    outfile: `${folder}/${name}.js`,
    plugins: [
      ...(name === "evaluate-hook" ? [] : [{ name: "unasked", setup: leaveOut }]),
      { name: "places", setup: atTheirPlaces },
    ],
    external: [
      "./evaluate-hook.js",
      "re2js",
      "undici",
      "croner",
      "@modelcontextprotocol/client",
      "@simplewebauthn/server",
    ],
    // As `loadBundle` runs it.
    banner: {
      js: '(function(exports,require,module,__filename,__dirname,importModule){"use strict";const fileUrl=require("node:url").pathToFileURL(__filename).href;',
    },
    footer: { js: "})" },
  });
  // Code that is run by `node:vm` may import nothing itself, but by a feature that Node warns of on stderr.
  const text = outputFiles[0].text.replace(
    /\bimport\((?="|__rewriteRelativeImportExtension\()/g,
    "importModule(",
  );
  writeFileSync(`${folder}/${name}.js`, text);
}
await build({
  ...commonJs,
  entryPoints: [`${dist}/cli/load-bundle.js`],
  outfile: `${folder}/load-bundle.js`,
});
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
    // What it begins with makes it strict, as modules are: behind anything else those words would be a text.
    banner: { js: '"use strict";const fileUrl=require("node:url").pathToFileURL(__filename).href;' },
    plugins: [{ name: "places", setup: keepPlaces() }],
  });
  writeFileSync(`${dist}/bundle/${name}/package.json`, `${JSON.stringify({ type: "commonjs", version })}\n`);
}

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
  plugins: [{ name: "places", setup: keepPlaces(await exported(), requireBuiltins) }],
});

/**
 * What adapters have for whoever installs hooks and reads their pages: no call asks for it, and it would be a fifth of the program. A
 * call that did would fail, and be answered by the other one, which has it.
 */
function leaveOut({ onLoad }) {
  onLoad({ filter: /\/adapters\/[^/]+\/(settings|quirks)\.js$/ }, ({ path }) => {
    const names = [...readFileSync(path, "utf8").matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
    return { contents: names.map((name) => `export const ${name} = undefined;`).join("\n") };
  });
}

/** A module of a bundle finds the files beside it from where it was, two folders below `dist/bundle`. */
function atTheirPlaces({ onLoad }) {
  onLoad({ filter: /\.js$/ }, ({ path }) => {
    const within = relative(dist, path);
    const bundles = /^cli\/(hook|evaluate-hook|hook-program|load-bundle)\.js$/;
    if (within.startsWith("..") || bundles.test(within)) return undefined;
    const text = readFileSync(path, "utf8");
    const folder = `(import.meta.dirname+"/../../${dirname(within)}")`;
    return { contents: text.replaceAll("import.meta.dirname", folder) };
  });
}

/** The modules that a program which imports this package gets, by their place in `dist`. */
async function exported() {
  const { exports } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  const { metafile } = await build({
    absWorkingDir: dist,
    entryPoints: Object.values(exports)
      .flatMap((one) => one.default ?? [])
      .map((path) => `${root}/${path}`),
    outdir: dist,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    metafile: true,
    write: false,
  });
  return new Set(Object.keys(metafile.inputs));
}

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
