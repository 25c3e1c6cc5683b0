// The least a server does that records each call before it answers: the request read, the payload parsed, a row of the usual
// size sealed and written, consent said. No hooks, no rules, no store behind it. `journal-hook-server.ts SOCKET FOLDER`
import { createServer } from "node:net";
import { join } from "node:path";
import { readRequest } from "../../src/agents/calls/hook-frames.ts";
import { newId } from "../../src/base/ids.ts";
import { SealedJournal } from "../../src/record/audit/sealed-journal.ts";
import { JournalFile } from "../../src/store/sqlite/journal-file.ts";
import { SigningKey } from "../../src/record/audit/signing-key.ts";

const [path = "", folder = ""] = process.argv.slice(2);
const journal = new SealedJournal(
  new JournalFile(join(folder, "journal")),
  new SigningKey(join(folder, "audit-key.pem")),
);
const server = createServer((socket) => {
  socket.on("error", () => socket.destroy());
  socket.once("data", (bytes: Buffer) => {
    const request = readRequest(bytes);
    if (request === null) return void socket.destroy();
    const payload = JSON.parse(request.input) as { cwd: string; session_id: string };
    const { cwd, session_id: session } = payload;
    const row = { id: newId("evt"), time: new Date().toISOString(), event: "tool.before", verdict: "none" };
    journal.write({ ...row, session, cwd, before: JSON.stringify(payload) } as never);
    journal.trim();
    socket.end("0 0 0\n");
  });
});
server.listen(path, () => process.stdout.write("listening\n"));
process.on("SIGTERM", () => process.exit(0));
