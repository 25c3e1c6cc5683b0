import { agentCases, allPass } from "./agent.cases.ts";

agentCases({ agent: "qwen-code", results: { ...allPass, rewrite: "not_applicable" } });
