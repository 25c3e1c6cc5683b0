import { replaceFile } from "../../base/replace-file.ts";
import { SwarmError } from "../../base/errors.ts";
import { loadUserConfig } from "../../config/load.ts";
import { parseConfigText } from "../../config/parse.ts";
import { approvalsKeyCommand } from "../../policy/approvers/cli/approver-keys.ts";
import { withClient } from "../client.ts";
import { noteConfigEdit } from "./init-note.ts";
import { tilde } from "./step.ts";

const line = "approvals: { require: person }\n";

/** A key first: where a person is required and has none, nothing can be approved. */
export async function requirePerson(home: string): Promise<string> {
  const { keys } = await withClient((client) => client.call("listApprovers"));
  if (keys.length === 0) {
    const input = { positionals: ["add"], options: {}, flags: new Set<string>(), isJson: true };
    await approvalsKeyCommand.run(input);
  }
  const { file, text } = loadUserConfig({ home, env: process.env });
  const before = text ?? "";
  const after = `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${line}`;
  if (!isUnderstood(file, after)) return `left: write \`${line.trim()}\` into ${tilde(file)} yourself`;
  noteConfigEdit(home, { file, before: text, after });
  replaceFile(file, after);
  return `approvals take your passphrase: ${tilde(file)} now says ${line.trim()}`;
}

/** A file with such a key already, or in another form than lines, would not mean the same with one more. */
function isUnderstood(file: string, text: string): boolean {
  try {
    return parseConfigText(file, text, { owner: "user", env: process.env }).approvals.require === "person";
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return false;
  }
}
