import { rowOf } from "../../engine/events/names.ts";
import { ownCommand } from "../own-command.ts";
import { listen, readBody, startProgram, testImports } from "./endpoint.ts";
import { literal, samplePayload } from "./sample.ts";
import { entryOf, type NewHook, type Scaffold } from "./scaffold.ts";

const port = 8788;

/** A receiver that believes nothing but what is signed as Standard Webhooks say. */
export function webhookHook(hook: NewHook): Scaffold {
  const file = `hooks/${hook.name}.mjs`;
  const test = `hooks/${hook.name}.test.mjs`;
  // A variable nobody has allowed or set yet would keep the whole file from loading, and a project's file is no
  // place for the secret itself.
  const secret = [
    "# set WEBHOOK_SECRET, list it under env: { allow: [WEBHOOK_SECRET] } in the user's config.yaml, then:",
    `# secret: "\${WEBHOOK_SECRET}"`,
  ];
  return {
    files: [
      { path: file, text: receiverText(hook) },
      { path: test, text: testText(hook) },
    ],
    entry: entryOf(hook, [
      `url: http://127.0.0.1:${port}/`,
      "allow_private: [loopback] # without it only the public internet may be sent to",
      ...secret,
    ]),
    test: `node --test ${test}`,
    next: [
      'choose a secret: export WEBHOOK_SECRET="whsec_$(openssl rand -base64 32)", then allow it as the entry says and approve that',
      `start it: node ${file}`,
      `send it a test: ${ownCommand()} webhooks test ${hook.name}`,
    ],
  };
}

function receiverText({ event }: NewHook): string {
  return `// Told of ${event}: when ${rowOf(event).when}.
// Deliveries are signed: https://www.standardwebhooks.com
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

/** The event is {"event": …, "id": …, "cwd": …, "data": {…}}. A delivery may come twice, with the same webhook-id. */
function receive(event) {
  console.log("received " + event.event + " " + event.id);
}

// After whsec_ comes base64; any other secret is its own bytes.
const secret = process.env.WEBHOOK_SECRET ?? "";
const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
if (key.length === 0) {
  console.error("set WEBHOOK_SECRET to the secret of the hook"); // without one anybody could sign
  process.exit(1);
}

const server = createServer(async (request, response) => {
  try {
    const body = await read(request);
    if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
    receive(JSON.parse(body));
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
});
${listen(port)}
function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  // Older than five minutes it may be a replay. The comparison is false for what is not a number.
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const expected = createHmac("sha256", key).update(id + "." + time + ".").update(body).digest();
  // Several while the secret is being changed.
  return signatures.split(" ").some((signature) => {
    const [version, text = ""] = signature.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

${readBody}`;
}

function testText({ event, name }: NewHook): string {
  return `import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
${testImports}
const key = randomBytes(32);
${startProgram(name, 'PORT: "0", WEBHOOK_SECRET: "whsec_" + key.toString("base64")')}
const data = ${literal(samplePayload(event, "fine"))};
const body = JSON.stringify({ event: "${event}", id: "evt_1", data });
const now = Math.floor(Date.now() / 1000);

async function deliver(signed, time, sent = signed) {
  const signature = createHmac("sha256", key).update("msg_1." + time + "." + signed).digest("base64");
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(time), "webhook-signature": "v1," + signature };
  return (await fetch(url, { method: "POST", body: sent, headers })).status;
}

test("${name} takes a signed delivery", async () => {
  assert.equal(await deliver(body, now), 204);
});

test("${name} refuses a delivery that was changed on its way", async () => {
  assert.equal(await deliver(body, now, body.replace("evt_1", "evt_2")), 401);
});

test("${name} refuses a delivery that is not signed", async () => {
  assert.equal((await fetch(url, { method: "POST", body })).status, 401);
});

test("${name} refuses an old delivery, which may be a replay", async () => {
  assert.equal(await deliver(body, now - 600), 401);
});
`;
}
