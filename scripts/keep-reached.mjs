// Takes out of a build what nothing in it leads to. Plain JavaScript, because it makes what the packages are published with.
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";

/** Only declarations that somebody who imports the package can come to; and blanks at the start of a line are a tenth of them. */
export function keepDeclarations(dist, entries) {
  const reached = new Set(entries);
  for (const file of reached) {
    const text = readFileSync(join(dist, file), "utf8");
    for (const [, path] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.[jt]s"/g)) {
      reached.add(relative(dist, join(dist, dirname(file), `${path}.d.ts`)));
    }
    writeFileSync(join(dist, file), text.replaceAll(/^ +/gm, ""));
  }
  removeOthers("**/*.d.ts", dist, reached);
}

/** Only modules that are run by themselves, or imported by one that is. Folders of `others` are not looked into. */
export async function keepModules(dist, entries, others) {
  const reached = await reachedFrom(dist, entries);
  for (const folder of others)
    for (const file of globSync(`${folder}/**/*.js`, { cwd: dist })) reached.add(file);
  removeOthers("**/*.js", dist, reached);
}

/** The modules of a folder that those lead to, by their place in it. */
export async function reachedFrom(dist, entries) {
  const { metafile } = await build({
    absWorkingDir: dist,
    entryPoints: entries.map((entry) => join(dist, entry)),
    outdir: dist,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  return new Set(Object.keys(metafile.inputs));
}

function removeOthers(pattern, dist, reached) {
  for (const file of globSync(pattern, { cwd: dist })) if (!reached.has(file)) rmSync(join(dist, file));
}
