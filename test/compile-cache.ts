// Loaded first of all: what one file of tests has compiled, or stripped of its types, the next need not. Of the runtime's
// modules that is half of the second they take to load. The same for `swarm` as tests start it, each in a home of its own.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../node_modules/.cache/tests");
process.env.NODE_COMPILE_CACHE ??= folder;
enableCompileCache(folder);
