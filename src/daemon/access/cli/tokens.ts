import { oneLine } from "../../../base/show.ts";
import { roles } from "../port/token-store.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";

export const tokensAddCommand: Command = {
  summary: "make a token for somebody else, with a name and a role; it is printed this once",
  positionals: ["NAME"],
  options: { role: "ROLE  viewer (looks), operator (decides and runs) or admin (changes what is in force)" },
  examples: ["swarm tokens add ci --role operator", "swarm tokens add wallboard --role viewer --json"],
  async run({ positionals: [name], options, isJson }) {
    if (name === undefined) throw usage("tokens add", "a name is missing");
    const role = roleOf("tokens add", options.role);
    if (role === undefined) throw usage("tokens add", "--role is missing");
    const made = await withClient((client) => client.call("addToken", { body: { name, role } }));
    return isJson ? json(made) : `${made.token}\n`;
  },
};

export const tokensListCommand: Command = {
  summary: "list the named tokens",
  positionals: [],
  examples: ["swarm tokens list"],
  async run({ isJson }) {
    const { items } = await withClient((client) => client.call("listTokens"));
    if (isJson) return json(items);
    if (items.length === 0) return "no tokens but the owner's; swarm tokens add NAME --role ROLE makes one\n";
    const rows = items.map(({ name, role, created_at, created_by, revoked_at }) => {
      return [name, role, created_at, created_by, revoked_at === null ? "in force" : `revoked ${revoked_at}`];
    });
    return table(["NAME", "ROLE", "MADE", "BY", "STATE"], rows);
  },
};

export const tokensRevokeCommand: Command = {
  summary: "revoke a named token, and every session that came of it",
  positionals: ["NAME"],
  examples: ["swarm tokens revoke ci"],
  async run({ positionals: [name], isJson }) {
    if (name === undefined) throw usage("tokens revoke", "a name is missing");
    const revoked = await withClient((client) => client.call("revokeToken", { params: { name } }));
    return isJson ? json(revoked) : `${oneLine(name)} is revoked\n`;
  },
};

export const loginCommand: Command = {
  summary: "print a link that opens the dashboard in a browser, once, within five minutes",
  positionals: [],
  options: { role: "ROLE  viewer, operator or admin; default admin" },
  examples: ["swarm login", "swarm login --role viewer"],
  async run({ options, isJson }) {
    const role = roleOf("login", options.role);
    const link = await withClient((client) => client.call("makeLoginLink", { body: role ? { role } : {} }));
    return isJson ? json(link) : `${link.url}\n`;
  },
};

function roleOf(command: string, written: string | undefined): (typeof roles)[number] | undefined {
  if (written === undefined) return undefined;
  const role = roles.find((known) => known === written);
  if (role !== undefined) return role;
  throw usage(command, `--role is ${JSON.stringify(written)}, expected ${roles.join(", ")}`);
}
