import { runAwk, runCode, runMake, runSed, runTar } from "./code.ts";
import { named, type Program, type Programs, withCommon } from "./program.ts";
import { unwrap } from "./unwrap.ts";

const python: Program = {
  language: "python",
  code: "c",
  module: "m",
  short: "cmWXQ",
  long: ["check-hash-based-pycs"],
  ends: "cmVh?",
};

const modulesOfNode = ["require", "import", "loader", "experimental-loader", "preload"];
const node: Program = {
  code: "ep",
  longCode: ["eval", "print"],
  short: "eprC",
  long: ["eval", "print", ...modulesOfNode, "conditions", "env-file", "config", "tsconfig"],
  modules: ["r", ...modulesOfNode],
  verb: "run",
};

/** Interpreters whose code is looked into. */
const followed: Programs = {
  python,
  pypy: python,
  perl: { language: "perl", code: "eE", short: "eEIMm", attached: "xF", ends: "eEvVh" },
  ruby: { language: "ruby", code: "e", short: "eIrCEKT", modules: ["r"], ends: "evh" },
  ...named("node nodejs", { ...node, language: "node", ends: "epvhc" }),
  bun: {
    ...node,
    short: "eprCc",
    language: "bun",
    ends: "ep",
    forPlugins: "nothing",
    follow: (launching, program) =>
      launching.command.args[0] === "x"
        ? unwrap(launching, { after: ["x"], takesPackages: true })
        : runCode(launching, program),
  },
  deno: {
    ...node,
    short: "eprCc",
    language: "deno",
    code: "",
    longCode: [],
    ends: "ep",
    forPlugins: "nothing",
  },
  php: { language: "php", code: "rBRE", short: "rBREfcdzSt", files: ["f"], ends: "rBREfSvhilm" },
  lua: { language: "lua", code: "e", short: "el", ends: "ev" },
  osascript: { language: "osascript", code: "e", short: "el", ends: "e" },
  tclsh: { language: "tclsh" },
  rscript: { language: "rscript", code: "e", short: "e", ends: "e" },
};

/** Programs that run what a file says, and are to rules as any other. */
const others: Programs = {
  ...named("tsx ts-node qjs", node),
  jruby: { code: "e", short: "eIrCE", modules: ["r"] },
  luajit: { code: "e", short: "el" },
  ...named("guile julia scheme wish", { code: "ceE" }),
};

/** Programs that take a script by an option only. */
const filters: Programs = {
  ...named("awk gawk mawk nawk original-awk", { follow: runAwk, short: "fFv", files: ["f"] }),
  ...named("sed gsed", { follow: runSed, short: "fe", files: ["f"] }),
  ...named("make gmake", { follow: runMake, short: "fC", long: ["file"], files: ["f", "file"] }),
  jq: { short: "f", long: ["from-file"], files: ["f", "from-file"], forPlugins: "anything" },
};

export const interpreters: Programs = {
  ...withCommon(followed, { runs: "script", follow: runCode, forPlugins: "own file" }),
  ...withCommon(others, { runs: "script", forPlugins: "own file" }),
  ...withCommon(filters, { runs: "script", hasNoFile: true }),
  ...named("tar bsdtar", { follow: runTar }),
};
