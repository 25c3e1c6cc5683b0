// swarm-hooks for OpenCode: written by `swarm install opencode`, taken away by `swarm uninstall opencode`.
//
// OpenCode calls plugins in its own process. This one hands each call to the daemon's socket; where nobody listens, to the
// client program, which evaluates the hooks itself. To throw is to deny. Where a guard is in force (--guard), whatever
// goes wrong denies; elsewhere the call goes on. OpenCode knows no deadline for a hook, so there is one here.
import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import { basename, dirname, join } from "node:path";

const entries = {};
// The line above is all that differs from one machine to another.

const maxInputBytes = 1024 * 1024;

const shared = Symbol.for("swarm-hooks.opencode");
globalThis[shared] ??= new WeakMap();

/**
 * One plugin file in the user's folder and one in the project's are two of these: the first to come asks, for both. Both
 * are handed the same context; every other project of the process, and the same one when it is loaded anew, has another.
 */
const entriesByContext = globalThis[shared];

export const SwarmHooks = async (context) => {
  const known = entriesByContext.get(context);
  const inForce = known ?? {};
  for (const [name, entry] of Object.entries(entries)) {
    if (inForce[name] === undefined || isGuard(entry)) inForce[name] = entry;
  }
  if (known !== undefined) return {};
  entriesByContext.set(context, inForce);
  return hooksFor(context.directory, inForce);
};

function hooksFor(directory, inForce) {
  /** Sessions of subagents, with the session each was started in. */
  const parents = new Map();
  const pending = new Set();

  const ask = (name, session, more) => {
    const parent = parents.get(session);
    const subagent = parent === undefined ? {} : { parent_session: parent, agent_id: session };
    const payload = { host: "opencode", hook_event_name: name, cwd: directory, ...subagent, ...more };
    return judged(inForce[name], payload, directory);
  };

  return {
    "tool.execute.before": async (input, output) => {
      const answer = await ask("tool.execute.before", input.sessionID, { input, output });
      refuse(answer);
      // In place: OpenCode runs the tool with the object it has handed over.
      if (answer.args !== undefined) replace(output.args, answer.args);
    },

    "tool.execute.after": async (input, output) => {
      const answer = await ask("tool.execute.after", input.sessionID, { input, output });
      if (answer.output !== undefined) Object.assign(output, answer.output);
      refuse(answer);
      if (answer.context !== undefined) output.output = `${output.output}\n\n${answer.context}`;
    },

    "chat.message": async (input, output) => {
      const texts = output.parts.filter((part) => part.type === "text");
      const prompt = texts.map(({ text }) => text).join("\n");
      const { message } = output;
      const answer = await ask("chat.message", input.sessionID, { input, message, prompt });
      refuse(answer);
      const [first, ...others] = texts;
      if (first === undefined) return;
      if (answer.prompt !== undefined) {
        first.text = answer.prompt;
        output.parts = keep(output.parts, (part) => !others.includes(part));
      }
      if (answer.context !== undefined) first.text = `${first.text}\n\n${answer.context}`;
    },

    "experimental.session.compacting": async (input, output) => {
      const answer = await ask("experimental.session.compacting", input.sessionID, { input });
      if (answer.preserve !== undefined) output.context.push(answer.preserve);
    },

    /** What is over when we hear of it: nobody waits for the answer. */
    event: async ({ event }) => {
      const { sessionID, info } = event.properties ?? {};
      const session = sessionID ?? info?.id;
      if (event.type === "session.created" && info?.parentID) parents.set(session, info.parentID);
      if (inForce[event.type] === undefined) return;
      const asked = ask(event.type, session, { event }).finally(() => pending.delete(asked));
      pending.add(asked);
    },

    dispose: async () => void (await Promise.allSettled(pending)),
  };
}

function refuse({ deny }) {
  if (deny !== undefined) throw new Error(deny);
}

function replace(target, source) {
  for (const key of Object.keys(target)) if (!Object.hasOwn(source, key)) delete target[key];
  Object.assign(target, source);
}

/** The same list with some of its items: others hold on to it. */
function keep(list, isKept) {
  list.splice(0, list.length, ...list.filter(isKept));
  return list;
}

function isGuard({ argv }) {
  return argv.includes("--guard");
}

/** What came of a call. Never rejects. */
async function judged(entry, payload, cwd) {
  if (entry === undefined) return {};
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(new Error("no answer came in time")), entry.timeoutS * 1_000);
  try {
    const input = Buffer.from(JSON.stringify(payload));
    if (input.length > maxInputBytes) throw new Error("its input is over 1 MiB");
    const answer =
      (await bySocket(entry, input, stop.signal)) ?? (await byProgram(entry, input, cwd, stop.signal));
    return read(answer);
  } catch (error) {
    const why = `swarm: denied, because this call could not be judged: ${error.message}`;
    return isGuard(entry) ? { deny: why } : {};
  } finally {
    clearTimeout(late);
  }
}

function read({ exitCode, stdout, stderr }) {
  if (exitCode === 2) return { deny: stderr.trim() || "denied by a hook" };
  if (exitCode !== 0) throw new Error(`the client ended with ${exitCode}`);
  return stdout.trim() === "" ? {} : JSON.parse(stdout);
}

/** A daemon at work says so twice a second. What a silent one is doing, the client can see. */
const silentMs = 2_000;

/** Null when nobody listens, or says anything, or nobody knows where. The frames are those of native/swarm-hook.c. */
function bySocket({ argv: [program, agent, ...flags] }, input, signal) {
  if (basename(program) !== "swarm-hook") return null;
  const timeoutMs = Number(flags[flags.indexOf("--timeout-ms") + 1]) || 0;
  const guard = Number(flags.includes("--guard"));
  const header = `swarm-hook/2 ${agent} ${guard} ${timeoutMs} ${Date.now()} 0 ${input.length}\n`;
  return new Promise((resolve, reject) => {
    const chunks = [];
    const socket = createConnection({ path: join(dirname(dirname(program)), "hook.sock") });
    signal.addEventListener("abort", () => socket.destroy(signal.reason));
    socket.setTimeout(silentMs, () => {
      resolve(null);
      socket.destroy();
    });
    socket.on("error", (error) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else reject(error);
    });
    socket.on("connect", () => socket.write(Buffer.concat([Buffer.from(header), input])));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => {
      const answer = unframed(Buffer.concat(chunks));
      if (chunks.length === 0) resolve(null);
      else if (answer === null) reject(new Error("the daemon's answer is cut off"));
      else resolve(answer);
    });
  });
}

/** Any "working\n", then "EXIT STDOUT_BYTES STDERR_BYTES\n", stdout, stderr; null when it is cut off. */
function unframed(received) {
  let bytes = received;
  while (bytes.toString("latin1", 0, 8) === "working\n") bytes = bytes.subarray(8);
  const found = /^(\d{1,3}) (\d{1,8}) (\d{1,8})\n/.exec(bytes.toString("latin1", 0, 32));
  if (found === null) return null;
  const [exitCode, out, err] = found.slice(1).map(Number);
  const start = found[0].length;
  if (bytes.length !== start + out + err) return null;
  return {
    exitCode,
    stdout: bytes.toString("utf8", start, start + out),
    stderr: bytes.toString("utf8", start + out),
  };
}

function byProgram({ argv: [program, ...args] }, input, cwd, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      signal,
      killSignal: "SIGKILL",
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    // Decoded as a stream: a letter of several bytes may come in two pieces.
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    child.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
    child.stdin.on("error", () => undefined); // it has ended: `close` says how
    child.stdin.end(input);
  });
}
