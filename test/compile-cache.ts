// Loaded first of all: what one file of tests has compiled, or stripped of its types, the next need not. Of the runtime's
// modules that is half of the second they take to load.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/tests"));
