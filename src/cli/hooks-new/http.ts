import { rowOf } from "../../engine/events/names.ts";
import { listen, readBody, startProgram, testImports } from "./endpoint.ts";
import { commandToTry, denied, literal, samplePayload, subjectOf } from "./sample.ts";
import { entryOf, type NewHook, type Scaffold } from "./scaffold.ts";

const port = 8787;

/** An endpoint that is asked and answers at once. */
export function httpHook(hook: NewHook): Scaffold {
  const file = `hooks/${hook.name}.mjs`;
  const test = `hooks/${hook.name}.test.mjs`;
  return {
    files: [
      { path: file, text: endpointText(hook) },
      { path: test, text: testText(hook) },
    ],
    entry: entryOf(hook, [
      "mode: guard",
      `url: http://127.0.0.1:${port}/`,
      "allow_private: [loopback] # without it only the public internet may be asked",
    ]),
    test: `node --test ${test}`,
    next: [`start it: node ${file}`, `ask it: ${commandToTry(hook.event)}`],
  };
}

function endpointText({ event, name }: NewHook): string {
  return `// Asked about ${event}: when ${rowOf(event).when}.
import { createServer } from "node:http";

/** The event is {"event": …, "id": …, "cwd": …, "data": {…}}. */
function judge({ data }) {
  if (String(${subjectOf(event)}).includes("${denied}")) {
    return { verdict: "deny", reason: "${name} does not allow this" };
  }
  return {}; // no opinion
}

const server = createServer(async (request, response) => {
  try {
    const answer = judge(JSON.parse(await read(request)));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(400).end(error.message); // no answer: the hook has failed, its on_failure counts
  }
});
${listen(port)}
${readBody}`;
}

function testText({ event, name }: NewHook): string {
  return `import assert from "node:assert/strict";
${testImports}
${startProgram(name, 'PORT: "0"')}
async function ask(body) {
  const response = await fetch(url, { method: "POST", body });
  return [response.status, await response.text()];
}

const about = (data) => JSON.stringify({ event: "${event}", id: "evt_1", data });

test("${name} lets pass what it has nothing against", async () => {
  const data = ${literal(samplePayload(event, "fine"))};
  assert.deepEqual(await ask(about(data)), [200, "{}"]);
});

test("${name} denies, and says why", async () => {
  const data = ${literal(samplePayload(event, denied))};
  const answer = { verdict: "deny", reason: "${name} does not allow this" };
  assert.deepEqual(await ask(about(data)), [200, JSON.stringify(answer)]);
});

test("${name} answers nothing to what is not an event", async () => {
  assert.equal((await ask("{"))[0], 400);
});
`;
}
