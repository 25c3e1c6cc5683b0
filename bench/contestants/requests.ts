import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Pool } from "undici";
import { newId } from "../../src/base/ids.ts";
import { envelope } from "../../src/engine/events/envelope.ts";
import type { Outcome } from "../../src/engine/events/outcome.ts";
import { httpHandler } from "../../src/handlers/http/http-handler.ts";
import { openHooks } from "../../src/engine/hooks/create-hooks.ts";
import { Outbound } from "../../src/net/outbound.ts";
import type { ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

const secret = "whsec_c3dhcm0taG9va3M=";

/** Our engine with one hook that asks the endpoint, which may be on loopback and nowhere else. */
export function httpHook(name: string, isSigned: boolean): Contestant {
  let made: Promise<ReturnType<typeof openHooks>["hooks"]> | null = null;
  const make = async () => {
    const { hooks, register } = openHooks();
    const spec = { name: "it", isClaudeShaped: false, nativeEvent: "tool.before", headers: {} };
    const where = {
      url: await endpointUrl(),
      allowPrivate: ["loopback"],
      secret: isSigned ? secret : null,
      previousSecret: null,
    };
    register("tool.before", {}, httpHandler({ ...spec, ...where }, new Outbound()), "http");
    return hooks;
  };
  return {
    name,
    isSync: false,
    async run(call) {
      made ??= make();
      return (await made).emit("tool.before", call);
    },
    read(result, call) {
      const { decision, data } = result as Outcome<"tool.before">;
      return decision.verdict === "none" && data === call ? call : null;
    },
  };
}

/** The same bytes by undici's own `request` over one kept pool, its answer parsed. It checks nothing and may wait for ever. */
export function bareRequest(name: string): Contestant {
  let pool: Promise<Pool> | null = null;
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": "swarm-hooks",
  };
  return {
    name,
    isSync: false,
    async run(call) {
      pool ??= endpointUrl().then((url) => new Pool(new URL(url).origin));
      const body = JSON.stringify(envelope("tool.before", newId("evt"), Date.now(), undefined, call));
      const response = await (await pool).request({ method: "POST", path: "/", headers, body });
      return response.body.json();
    },
    read: (answer, call: ToolCall) => ((answer as { verdict: string }).verdict === "none" ? call : null),
  };
}

let started: Promise<string> | null = null;

/** One for all contestants of a process; it ends with it. */
export function endpointUrl(): Promise<string> {
  started ??= (async () => {
    const worker = new Worker(new URL("../endpoint.ts", import.meta.url));
    const [port] = (await once(worker, "message")) as [number];
    worker.unref();
    return `http://127.0.0.1:${port}/`;
  })();
  return started;
}
