import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processorCases } from "../../port/processor.cases.ts";
import { echo } from "./echo.ts";

processorCases({
  name: "echo",
  kind: () => echo,
  folder: (t) => {
    const made = mkdtempSync(join(tmpdir(), "swarm-echo-"));
    t.after(() => rmSync(made, { recursive: true }));
    return made;
  },
  works: {},
  obeys: null,
  refused: [],
  unusable: [],
});
