import { userInfo } from "node:os";
import { makeLockedKey, readLockedKeys, saveLockedKeys } from "../key-file.ts";
import { SwarmError } from "../../../base/errors.ts";
import { type Client, type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, type CommandInput, type Output, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { describeChange, signChange, usableKeys } from "./sign.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { table } from "../../../cli/table.ts";
import { Terminal } from "../../../cli/terminal.ts";

type Waiting = ResultOf<"listApprovers">["waiting"][number];
type Work = (input: CommandInput) => Promise<Output>;

/** Guessed at two a second and core, twelve characters that are no phrase of a book last. */
const minPassphraseChars = 12;

const actions: Readonly<Record<string, Work>> = { add, list, remove, confirm };

export const approvalsKeyCommand: Command = {
  summary: "the keys of people who approve, which no agent can use: add, list, remove, confirm",
  positionals: ["ACTION", "KEY"],
  options: {
    name: "NAME  add: whose key it is; default your login's name",
    key: "NAME  the key to sign with; default the first whose file is here",
  },
  examples: [
    "swarm approvals key add",
    "swarm approvals key add --name laptop",
    "swarm approvals key list",
    "swarm approvals key remove laptop",
    "swarm approvals key confirm chg_0mwij678r86a4a07f3b84947db4aa",
  ],
  run(input) {
    const [action = ""] = input.positionals;
    const work = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (work === undefined) throw usage("approvals key", "expected add, list, remove or confirm");
    return work(input);
  },
};

export const approvalsRequireCommand: Command = {
  summary: "say whether approvals take a person's key; any has to be signed by one",
  positionals: ["WHAT"],
  options: { key: "NAME  the key to sign with; default the first whose file is here" },
  examples: ["swarm approvals require person", "swarm approvals require any"],
  run({ positionals: [what], options, isJson }) {
    if (what !== "any" && what !== "person") throw usage("approvals require", "expected any or person");
    return withClient(async (client) => {
      const { waiting } = await client.call("changeApprovers", {
        body: { action: "require", require: what },
      });
      if (waiting !== null) await sign(client, waiting, options.key);
      const { require } = await client.call("listApprovers");
      return isJson
        ? json({ require })
        : `approvals take ${require === "person" ? "a person's key" : "any operator's token"}\n`;
    });
  },
};

async function add({ options, isJson }: CommandInput): Promise<Output> {
  const name = options.name ?? userInfo().username;
  const kept = readLockedKeys(swarmHome());
  const locked = makeLockedKey(name, await askNewPassphrase());
  const { public_key } = locked;
  return withClient(async (client) => {
    // The file first: an approver's key that could not be written would be lost, and a person may be required.
    saveLockedKeys(swarmHome(), [...kept, locked]);
    const body = { action: "add", name, public_key } as const;
    const { waiting } = await client.call("changeApprovers", { body }).catch((error: unknown) => {
      saveLockedKeys(swarmHome(), kept);
      throw error;
    });
    const approvers = await client.call("listApprovers");
    const isSigned = waiting !== null && usableKeys(approvers).length > 0;
    if (waiting !== null && isSigned) await sign(client, waiting, options.key);
    const { require, page } = approvers;
    if (isJson) return json({ id: locked.id, name, waiting: isSigned ? null : waiting });
    if (waiting !== null && !isSigned)
      return `${name} (${locked.id}) waits for a passkey: confirm it within ten minutes at ${page}/#/approvals\n`;
    const next =
      require === "person"
        ? "approvals take its signature"
        : "to have approvals take its signature, put `approvals: {require: person}` into config.yaml";
    return `${name} (${locked.id}) is an approver's key; ${next}\n`;
  });
}

async function list({ isJson }: CommandInput): Promise<Output> {
  const approvers = await withClient((client) => client.call("listApprovers"));
  if (isJson) return json(approvers);
  const here = new Set(usableKeys(approvers).map(({ id }) => id));
  const rows = approvers.keys.map(({ id, name, kind }) => [
    name,
    kind,
    id,
    here.has(id) || kind === "passkey" ? "yes" : "no",
  ]);
  const isKept = approvers.is_recorded ? ", until an approver signs swarm approvals require any" : "";
  const held = approvers.require === "person" ? `a person's key${isKept}` : "any operator's token";
  return [
    rows.length === 0
      ? "there is no key: swarm approvals key add makes the first\n"
      : table(["NAME", "KIND", "ID", "USABLE"], rows),
    `approvals take ${held}\n`,
    ...approvers.waiting.map(({ id, change }) => `waits (${id}): ${describeChange(change, approvers)}\n`),
  ].join("");
}

async function remove({ positionals: [, given], options, isJson }: CommandInput): Promise<Output> {
  if (given === undefined) throw usage("approvals key", "the key's name or id is missing");
  return withClient(async (client) => {
    const { keys } = await client.call("listApprovers");
    const key = keys.find(({ id, name }) => id === given || name === given);
    if (key === undefined)
      throw usage("approvals key", `there is no key ${JSON.stringify(given.slice(0, 80))}`);
    const { waiting } = await client.call("changeApprovers", { body: { action: "remove", key_id: key.id } });
    if (waiting !== null) await sign(client, waiting, options.key);
    saveLockedKeys(
      swarmHome(),
      readLockedKeys(swarmHome()).filter(({ id }) => id !== key.id),
    );
    return isJson ? json({ removed: key }) : `${key.name} (${key.id}) is no approver's key any more\n`;
  });
}

/** The id is never guessed: another change may wait, proposed by whatever holds the API's token. */
async function confirm({ positionals: [, given], options, isJson }: CommandInput): Promise<Output> {
  if (given === undefined) throw usage("approvals key", "the id of the change is missing");
  return withClient(async (client) => {
    const approvers = await client.call("listApprovers");
    const waiting = approvers.waiting.find(({ id }) => id === given);
    if (waiting === undefined) throw new SwarmError("SWARM_APPROVER_CHANGE_UNKNOWN", { id: given });
    await sign(client, waiting, options.key);
    return isJson ? json({ confirmed: waiting }) : `done: ${describeChange(waiting.change, approvers)}\n`;
  });
}

async function sign(client: Client, waiting: Waiting, keyName: string | undefined): Promise<void> {
  const { decided_at, signature } = await signChange(waiting, await client.call("listApprovers"), keyName);
  const params = { id: waiting.id };
  await client.call("confirmApproverChange", { params, body: { decided_at, signature: { ...signature } } });
}

async function askNewPassphrase(): Promise<string> {
  const terminal = new Terminal("approvals key add");
  try {
    terminal.print(
      `A passphrase of at least ${minPassphraseChars} characters; it is written down nowhere.\n`,
    );
    const passphrase = await terminal.askHidden("new passphrase: ");
    if ([...passphrase].length < minPassphraseChars)
      throw usage("approvals key", `the passphrase has fewer than ${minPassphraseChars} characters`);
    if ((await terminal.askHidden("once more: ")) !== passphrase)
      throw usage("approvals key", "the two passphrases differ");
    return passphrase;
  } finally {
    terminal.close();
  }
}
