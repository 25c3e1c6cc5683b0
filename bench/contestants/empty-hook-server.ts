// The hook socket's protocol and nothing behind it: each call is answered with consent. `empty-hook-server.ts SOCKET`
import { createServer } from "node:net";

const [path = ""] = process.argv.slice(2);
const server = createServer((socket) => {
  socket.on("error", () => socket.destroy());
  socket.once("data", () => socket.end("0 0 0\n"));
});
server.listen(path, () => process.stdout.write("listening\n"));
process.on("SIGTERM", () => process.exit(0));
