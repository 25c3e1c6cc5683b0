import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ErrorCode } from "../../base/error-catalog.ts";
import { type CallBody, openApp } from "../server/harness.cases.ts";
import type { Problem } from "./problem.ts";

const hook = "hooks:\n  - { event: tool.before, type: command, name: guard, command: exit 2 }\n";
const note = { event: "notification", data: { message: "hi", level: "info" } };

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: CallBody;
}

/** What is refused, how it is sent, and what the answer says of it. */
type Refused = readonly [what: string, sent: Sent, detail: RegExp];

const get = (path: string): Sent => ({ method: "GET", path: `/api/v1/${path}` });
const post = (body: CallBody): Sent => ({ method: "POST", path: "/api/v1/events", body });
const patch = (id: string, body: CallBody): Sent => ({ method: "PATCH", path: `/api/v1/hooks/${id}`, body });

const nested = (depth: number) =>
  `{"event": "notification", "data": {"message": "hi", "x": ${"[".repeat(depth)}${"]".repeat(depth)}}}`;
const large = { ...note, data: { ...note.data, message: "x".repeat(9 << 20) } };
const badIds = [
  "a%20b",
  "a.b",
  "%2e%2e%2fetc",
  "%00",
  "%ff",
  "%E0%A4%A",
  "a%2Fb",
  "caf%C3%A9",
  "x".repeat(65),
];

const refusals: Partial<
  Record<ErrorCode, { readonly status: number; readonly refused: readonly Refused[] }>
> = {
  SWARM_ROUTE_UNKNOWN: {
    status: 404,
    refused: [
      ["an unknown path", get("nothing"), /no GET "\/api\/v1\/nothing"/],
      ["a path below one there is", { method: "GET", path: "/healthz/x" }, /"\/healthz\/x"/],
      ["a slash too many", get("hooks/"), /"\/api\/v1\/hooks\/"/],
    ],
  },
  SWARM_METHOD_REFUSED: {
    status: 405,
    refused: [
      ["another method", { ...get("hooks"), method: "DELETE" }, /takes no DELETE, expected GET, HEAD$/],
    ],
  },
  SWARM_BODY_INVALID: {
    status: 400,
    refused: [
      ["a body that is no JSON", post("{event"), /not JSON: /],
      ["a body that is cut off", post('{"event": "x"'), /not JSON: /],
      ["no body", { method: "POST", path: "/api/v1/events" }, /not JSON: /],
      ["a body that is no UTF-8", post(new Uint8Array([0x22, 0xff, 0x22])), /not JSON: .*(utf-8|encoded)/i],
    ],
  },
  SWARM_EVENT_UNKNOWN: {
    status: 400,
    refused: [
      [
        "an unknown event",
        post({ ...note, event: "tool.befor" }),
        /"tool\.befor", did you mean "tool\.before"\?/,
      ],
      ["an event that is inherited", post({ ...note, event: "toString" }), /unknown event "toString"/],
      ["a filter by an unknown event", get("events?event=tool.befor"), /did you mean "tool\.before"\?/],
    ],
  },
  SWARM_PAYLOAD_INVALID: {
    status: 400,
    refused: [
      [
        "a payload of no such event",
        post({ event: "tool.before", data: { tool_name: 7, tool_input: {} } }),
        /tool_name is 7/,
      ],
    ],
  },
  SWARM_PAYLOAD_TOO_DEEP: {
    status: 400,
    refused: [
      ["a payload that is too deep", post(nested(5_000)), /nested more than 200/],
      ["a payload that is far too deep", post(nested(1_000_000)), /nested more than 200/],
    ],
  },
  SWARM_PAYLOAD_TOO_LARGE: {
    status: 413,
    refused: [["a payload that is too large", post(large), /passes 8388608 characters at .*message/]],
  },
  SWARM_OPTION_UNKNOWN: {
    status: 400,
    refused: [
      [
        "an unknown key",
        post({ ...note, sesion: "s" }),
        /body: unknown option "sesion", did you mean "session"\?/,
      ],
      [
        "a prototype",
        post('{"event":"notification","data":{},"__proto__":{}}'),
        /unknown option "__proto__"/,
      ],
      ["an unknown option", get("events?limt=5"), /query: unknown option "limt", did you mean "limit"\?/],
      ["a prototype as an option", get("events?__proto__=5"), /unknown option "__proto__"/],
      [
        "an option where there is none",
        { method: "GET", path: "/healthz?limit=5" },
        /unknown option "limit"/,
      ],
      [
        "more than a switch",
        patch("guard", { enabled: true, mode: "observe" }),
        /body: unknown option "mode"/,
      ],
    ],
  },
  SWARM_OPTION_INVALID: {
    status: 400,
    refused: [
      ["a body that is a list", post("[]"), /array of 0, expected a JSON object/],
      ["a body that is null", post("null"), /null, expected a JSON object/],
      ["no event", post({ data: {} }), /body: event is undefined, expected a string/],
      ["no data", post({ event: "notification" }), /body: data is undefined, expected an object/],
      ["data that is a list", post({ ...note, data: [] }), /data is an array of 0/],
      ["a session that is a number", post({ ...note, session: 7 }), /session is 7, expected a string/],
      [
        "an endless session",
        post({ ...note, session: "s".repeat(257) }),
        /session is .*, expected at most 256/,
      ],
      ["a relative folder", post({ ...note, cwd: "a/b" }), /cwd is "a\/b", expected an absolute path/],
      ["a relative folder of a list", get("hooks?cwd=."), /query: cwd is "\."/],
      ["a relative folder of a hook", get("hooks/guard?cwd=x"), /query: cwd is "x"/],
      ["an unknown kind", get("events?kind=emits"), /kind is "emits", expected emit or/],
      ["an unknown verdict", get("events?verdict=no"), /verdict is "no", expected none or/],
      ["a sequence number that is none", get("events/after/x1"), /seq is "x1", expected a whole number/],
      ["a switch without a position", patch("guard", {}), /enabled is undefined, expected true or false/],
      ["a switch in between", patch("guard", { enabled: "yes" }), /enabled is "yes", expected true or false/],
      ["runs of a bad id", get("hooks/a.b/runs"), /path: id is "a\.b"/],
      ["an event of a bad id", get("events/a.b"), /path: id is "a\.b"/],
      ...["0", "1001", "-1", "abc", "", "1.5", "1e2", "99999999999999999999"].map(
        (limit): Refused => [
          `the limit "${limit}"`,
          get(`events?limit=${limit}`),
          /limit is .*, expected a whole/,
        ],
      ),
      ...["abc", "-1", "1.5", "evt_1", ""].map(
        (cursor): Refused => [
          `the cursor "${cursor}"`,
          get(`sessions?cursor=${cursor}`),
          /expected the next_cursor/,
        ],
      ),
      ...["yesterday", "12", "2026-13-01", ""].map(
        (since): Refused => [
          `the time "${since}"`,
          get(`events?since=${since}`),
          /since is .*, expected a time/,
        ],
      ),
      ...badIds.flatMap((id): Refused[] => [
        [`the id ${id}`, get(`hooks/${id}`), /path: id is .*, expected letters, digits, _ and -, at most 64/],
        [`the id ${id} of a switch`, patch(id, { enabled: true }), /path: id is .*, expected letters/],
      ]),
    ],
  },
  SWARM_CONFIG_UNREADABLE: {
    status: 400,
    refused: [
      ["a folder no file system has", post({ ...note, cwd: "/a\0b" }), /null bytes/],
      ["a folder with an endless name", post({ ...note, cwd: `/${"x".repeat(300)}` }), /too long/],
    ],
  },
  SWARM_HOOK_UNKNOWN: {
    status: 404,
    refused: [
      ["an unknown hook", get("hooks/gard"), /no hook "gard" is in force here, did you mean "guard"\?/],
      ["an unknown hook to switch", patch("gard", { enabled: true }), /no hook "gard"/],
    ],
  },
  SWARM_RUN_UNKNOWN: {
    status: 404,
    refused: [["an unknown run", get("events/evt_no"), /no event "evt_no"/]],
  },
};

suite("what cannot be done is told as a problem with a code, the value that was refused and what to do", () => {
  for (const [code, { status, refused }] of Object.entries(refusals)) {
    test(code, async (t) => {
      const { call, warnings } = await openApp(t, hook);
      for (const [what, { method, path, body }, detail] of refused) {
        await t.test(`is for ${what}`, async () => {
          const { body: problem, ...answer } = await call<Problem>(method, path, body);
          const { type, code: told } = problem;
          assert.deepEqual([answer.status, told, type], [status, code, `urn:swarm-hooks:error:${code}`]);
          assert.match(problem.detail, detail);
          assert.deepEqual(warnings, [], "nothing of it is a fault of ours");
        });
      }
    });
  }
});

test("a method that a path does not take is told with those it does", async (t) => {
  const { app, call } = await openApp(t);
  const allowOf = async (method: string, path: string) => (await call(method, path, {})).headers.get("allow");
  assert.equal(await allowOf("PUT", "/api/v1/events"), "POST, GET, HEAD");
  assert.equal(await allowOf("POST", "/api/v1/hooks/x"), "GET, HEAD, PATCH");
  assert.equal(await allowOf("POST", "/api/v1/openapi.json"), "GET, HEAD");
  assert.equal(await allowOf("OPTIONS", "/healthz"), "GET, HEAD");
  const head = await app.request("/healthz", { method: "HEAD", headers: { host: "localhost" } });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
});

test("a fault of ours says nothing of itself but to the log", async (t) => {
  const { call, runtime, warnings } = await openApp(t);
  t.mock.method(runtime.store, "listSessions", () => {
    throw new TypeError("x is not a function: hunter2");
  });
  const { status, body, text } = await call<Problem>("GET", "/api/v1/sessions");
  assert.deepEqual([status, body.code], [500, "SWARM_INTERNAL"]);
  assert.doesNotMatch(text, /hunter2|not a function|\.ts/);
  assert.match(warnings.join(), /TypeError: x is not a function: hunter2/);
});
