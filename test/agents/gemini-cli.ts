import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentCases, allPass } from "./agent.cases.ts";

agentCases({
  agent: "gemini-cli",
  results: allPass,
  trust: {
    until: /^Gemini CLI does not trust .*project: there it runs no hook, not even yours/,
    // As it writes it when its user says yes.
    give: async ({ home, project }) =>
      writeFileSync(join(home, ".gemini/trustedFolders.json"), JSON.stringify({ [project]: "TRUST_FOLDER" })),
  },
});
