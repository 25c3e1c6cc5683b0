import { agentCases, allPass } from "./agent.cases.ts";

agentCases({ agent: "opencode", results: allPass });
