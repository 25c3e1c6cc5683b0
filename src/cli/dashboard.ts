import { daemonHealth, withClient } from "./client.ts";
import type { Command } from "./command.ts";
import { startDetached } from "./detach.ts";
import { json } from "./json.ts";
import { openBrowser } from "./open-browser.ts";

export const dashboardCommand: Command = {
  summary: "open the dashboard in a browser, logged in; starts the daemon if none runs",
  positionals: [],
  flags: { "no-open": { doc: "print the link only" } },
  examples: ["swarm dashboard", "swarm dashboard --no-open"],
  async run({ flags, isJson }) {
    if ((await daemonHealth()) === null) await startDetached([]);
    const link = await withClient((client) => client.call("makeLoginLink", { body: {} }));
    const isOpened = !flags.has("no-open") && !isJson && openBrowser(link.url);
    if (isJson) return json(link);
    return isOpened
      ? "the dashboard opens in your browser; swarm dashboard --no-open prints the link instead\n"
      : `${link.url}\n`;
  },
};
