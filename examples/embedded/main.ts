import { createHooks, deny, rewrite } from "swarm-hooks";

const hooks = createHooks();

// A guard: judges the final arguments, and denies even when it fails itself.
hooks.on("tool.before", { match: "Bash", name: "no-force-push", mode: "guard", onFailure: "deny" }, (data) =>
  /git push.*--force/.test(String(data.tool_input.command))
    ? deny("force-pushing is not allowed")
    : undefined,
);

// A transform: masks card numbers in what any tool returns, and keeps the rest of it.
hooks.on("tool.after", { name: "mask-cards" }, async (data) => {
  const { content } = data.tool_output as { content: string };
  return rewrite({ tool_output: { content: content.replaceAll(/\b\d{14,16}\b/g, "XXXX-XXXX-XXXX-XXXX") } });
});

const push = { tool_name: "Bash", tool_input: { command: "git push --force" } };
const read = { tool_name: "Read", tool_output: { content: "card 4111111111111111", lines: 1 } };
console.log("the guard stops a force-push: ", (await hooks.emit("tool.before", push)).result);
console.log("the transform masks a number: ", (await hooks.emit("PostToolUse", read)).data.tool_output);
