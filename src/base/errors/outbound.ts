import { oneLine } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** How a request to somewhere else can fail. Addresses hold tokens, so only hosts are named. */
export const outboundErrors = {
  SWARM_ADDRESS_REFUSED: row<{ hook: string; host: string; problem: string }>({
    meaning: "A hook was to connect to an address that is not of the public internet, and is not allowed to.",
    remedy: "If that is where it should connect, list the address under the hook's allow_private.",
    status: 502,
    exitCode: 70,
    message: ({ hook, host, problem }) =>
      `hook ${hook} may not connect to ${oneLine(host, 100)} (${problem}), expected an address of the public internet or one its allow_private lists`,
  }),
  SWARM_HOST_UNRESOLVED: row<{ hook: string; host: string; problem: string }>({
    meaning: "The name of the host a hook sends to has no address.",
    remedy: "Correct the url, or the name's entry in DNS.",
    status: 502,
    exitCode: 75,
    message: ({ hook, host, problem }) =>
      `hook ${hook} found no address of ${oneLine(host, 100)}: ${oneLine(problem, 300)}`,
  }),
  SWARM_CONNECT_FAILED: row<{ hook: string; host: string; problem: string }>({
    meaning: "A hook could not connect to where it sends to.",
    remedy: "See that the endpoint runs and can be reached from here.",
    status: 502,
    exitCode: 75,
    message: ({ hook, host, problem }) =>
      `hook ${hook} could not connect to ${oneLine(host, 100)}: ${oneLine(problem, 300)}`,
  }),
  SWARM_TLS_FAILED: row<{ hook: string; host: string; problem: string }>({
    meaning: "The endpoint of a hook has no certificate we trust, or does not speak TLS.",
    remedy: "Give it a certificate of an authority this machine knows; NODE_EXTRA_CA_CERTS adds one.",
    status: 502,
    exitCode: 70,
    message: ({ hook, host, problem }) =>
      `hook ${hook} could not make a secure connection to ${oneLine(host, 100)}: ${oneLine(problem, 300)}`,
  }),
  SWARM_RESPONSE_BROKEN: row<{ hook: string; host: string; problem: string }>({
    meaning:
      "The connection to the endpoint of a hook ended before its answer did, or what came was not HTTP.",
    remedy: "See the endpoint's own log.",
    status: 502,
    exitCode: 75,
    message: ({ hook, host, problem }) =>
      `hook ${hook} got no whole answer from ${oneLine(host, 100)}: ${oneLine(problem, 300)}`,
  }),
  SWARM_RESPONSE_FLOODED: row<{ hook: string; limitBytes: number }>({
    meaning: "The answer to a hook's request is too long.",
    remedy: "Answer with the decision alone.",
    status: 502,
    exitCode: 70,
    message: ({ hook, limitBytes }) => `hook ${hook} got more than ${limitBytes} bytes, expected an answer`,
  }),
  SWARM_RESPONSE_STATUS: row<{ hook: string; status: number; detail: string }>({
    meaning: "The endpoint of a hook answered with a status other than 2xx. Redirects are not followed.",
    remedy: "Answer 200 with a JSON object; to deny, say so in it. Where it redirects, correct the url.",
    status: 502,
    exitCode: 70,
    message: ({ hook, status, detail }) =>
      `hook ${hook} got status ${status}, expected 2xx${detail === "" ? "" : `: ${oneLine(detail, 300)}`}`,
  }),
  SWARM_RESPONSE_CONTENT: row<{ hook: string; content: string }>({
    meaning: "The endpoint of a hook answered with something other than JSON.",
    remedy: "Answer with content-type application/json and no content-encoding, or with no body at all.",
    status: 502,
    exitCode: 70,
    message: ({ hook, content }) => `hook ${hook} got ${oneLine(content, 100)}, expected application/json`,
  }),
  SWARM_RESPONSE_ANSWER: row<{ hook: string; problem: string }>({
    meaning: "The endpoint of a hook answered with what says it is JSON and is not a JSON object.",
    remedy: "Answer with one JSON object, or with no body at all.",
    status: 502,
    exitCode: 70,
    message: ({ hook, problem }) =>
      `hook ${hook} was answered what is no JSON object: ${oneLine(problem, 300)}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
