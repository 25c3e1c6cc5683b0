import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { type ErrorCode, type ErrorParams, errorCatalog } from "./error-catalog.ts";
import { SwarmError } from "./errors.ts";
import { maskMessages } from "./mask-messages.ts";
import { filler } from "./secrets/form.ts";
import { SwarmError as EngineError } from "./swarm-error.ts";

/** One sample per code: the compiler refuses a code that is left out. */
const samples: {
  readonly [C in ErrorCode]: { params: ErrorParams<C>; message: string; status: number; exitCode: number };
} = {
  SWARM_TASK_NONE_HELD: {
    params: { actor: "agent:a" },
    message: '"agent:a" has no task now',
    status: 404,
    exitCode: 65,
  },
  SWARM_AGENT_TOKEN_MISSING: {
    params: { where: "the environment" },
    message: "the environment has no agent's token, expected the one of an agent that was registered",
    status: 401,
    exitCode: 64,
  },
  SWARM_APPROVAL_UNKNOWN: {
    params: { id: "apr_1" },
    message: 'there is no approval "apr_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_APPROVAL_DECIDED: {
    params: { id: "apr_1", decided: "denied", by: "human:ada" },
    message: "approval apr_1 was denied by human:ada, expected a pending one",
    status: 409,
    exitCode: 65,
  },
  SWARM_APPROVAL_PENDING: {
    params: { name: "Bash" },
    message: 'the same call of "Bash" waits for a decision already',
    status: 409,
    exitCode: 65,
  },
  SWARM_APPROVAL_USED: {
    params: { id: "apr_1" },
    message: "approval apr_1 holds no more, expected one that was approved and not used",
    status: 409,
    exitCode: 65,
  },
  SWARM_APPROVAL_ALTERED: {
    params: { id: "apr_1", problem: "the question is not the one that was asked" },
    message: "approval apr_1 cannot be given: the question is not the one that was asked",
    status: 409,
    exitCode: 65,
  },
  SWARM_APPROVAL_NEEDS_PERSON: {
    params: { id: "apr_1", problem: "it has no signature" },
    message:
      "approval apr_1 can be given by a person's key alone: it has no signature; use swarm approvals approve on a terminal, or a passkey on the dashboard",
    status: 403,
    exitCode: 65,
  },
  SWARM_APPROVER_NONE: {
    params: { home: "/home/ada/.swarm" },
    message:
      "no approver's key can sign from /home/ada/.swarm: make one with swarm approvals key add, or use a passkey on the dashboard",
    status: 409,
    exitCode: 65,
  },
  SWARM_APPROVER_REFUSED: {
    params: { problem: "no approver has signed it" },
    message: "the approvers are unchanged: no approver has signed it",
    status: 403,
    exitCode: 65,
  },
  SWARM_APPROVER_CHANGE_UNKNOWN: {
    params: { id: "chg_1" },
    message: 'no change of the approvers waits under "chg_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_APPROVER_KEY_FILE: {
    params: { file: "/home/ada/.swarm/approvers.json" },
    message: "/home/ada/.swarm/approvers.json is not a file of approvers' keys",
    status: 500,
    exitCode: 70,
  },
  SWARM_APPROVER_PASSPHRASE: {
    params: { name: "ada" },
    message: 'this is not the passphrase of the key "ada", or its file was changed',
    status: 403,
    exitCode: 65,
  },
  SWARM_APPROVER_TERMINAL: {
    params: { command: "approvals approve" },
    message: "swarm approvals approve asks for a passphrase and found no terminal to ask on: run it in one",
    status: 400,
    exitCode: 64,
  },
  SWARM_BATCH_FOLDER_TAKEN: {
    params: { folder: "/runs/r1", file: "spec.json" },
    message: "/runs/r1 has spec.json already, expected a folder without a run",
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_FOLDER_BUSY: {
    params: { folder: "/runs/r1" },
    message: "the run in /runs/r1 is under way in another process, expected none",
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_NOTHING_TO_RESUME: {
    params: { folder: "/runs/r1", problem: "it has no spec.json" },
    message: "/runs/r1 cannot be resumed: it has no spec.json",
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_INPUT_UNREADABLE: {
    params: { input: "in.jsonl", problem: "not a file" },
    message: "in.jsonl cannot be read: not a file",
    status: 400,
    exitCode: 65,
  },
  SWARM_BATCH_INPUT_CHANGED: {
    params: { input: "in.jsonl", what: "its size was 3, is 4" },
    message:
      "in.jsonl has changed since the run began (its size was 3, is 4): put it back, or submit it as a new run",
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_DISK_FULL: {
    params: { folder: "/runs/r1", problem: "ENOSPC: no space left on device" },
    message:
      "/runs/r1 cannot be written, is the disk full? ENOSPC: no space left on device; make room and resume",
    status: 507,
    exitCode: 75,
  },
  SWARM_BATCH_TOO_MANY_ERRORS: {
    params: { failed: 3, limit: 2 },
    message: "3 records failed, expected at most 2",
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_RUNNER_LOST: {
    params: { runId: "run_1", how: "was ended by SIGKILL" },
    message: 'the process of batch run "run_1" was ended by SIGKILL; resume it',
    status: 503,
    exitCode: 75,
  },
  SWARM_EVENT_UNKNOWN: {
    params: { event: "PreToolsUse", suggestion: "PreToolUse" },
    message: 'unknown event "PreToolsUse", did you mean "PreToolUse"?',
    status: 400,
    exitCode: 64,
  },
  SWARM_PAYLOAD_INVALID: {
    params: { event: "tool.before", field: "tool_name", expected: "a string", value: 7 },
    message: "tool.before: tool_name is 7, expected a string",
    status: 400,
    exitCode: 65,
  },
  SWARM_PAYLOAD_CIRCULAR: {
    params: { event: "tool.before", path: "data.tool_input.self", target: "data.tool_input" },
    message: "tool.before: data.tool_input.self refers back to data.tool_input, expected data without cycles",
    status: 400,
    exitCode: 65,
  },
  SWARM_PAYLOAD_TOO_LARGE: {
    params: { event: "tool.before", field: "data.tool_input", limitChars: 100 },
    message: "tool.before: the payload passes 100 characters at data.tool_input, expected fewer",
    status: 413,
    exitCode: 65,
  },
  SWARM_PAYLOAD_TOO_DEEP: {
    params: { event: "tool.before", path: "data.tool_input…", limitDepth: 200 },
    message: "tool.before: data.tool_input… is nested more than 200 levels deep, expected fewer",
    status: 400,
    exitCode: 65,
  },
  SWARM_PAYLOAD_NOT_JSON: {
    params: { event: "tool.before", path: "data.tool_input.size", value: 7n },
    message: "tool.before: data.tool_input.size is a bigint, expected JSON data",
    status: 400,
    exitCode: 65,
  },
  SWARM_OPTION_UNKNOWN: {
    params: { where: "hook on tool.before", option: "onFail", suggestion: "onFailure" },
    message: 'hook on tool.before: unknown option "onFail", did you mean "onFailure"?',
    status: 400,
    exitCode: 64,
  },
  SWARM_OPTION_INVALID: {
    params: { where: "hook on tool.before", option: "mode", expected: "transform or guard", value: "judge" },
    message: 'hook on tool.before: mode is "judge", expected transform or guard',
    status: 400,
    exitCode: 64,
  },
  SWARM_TIMEOUT_INVALID: {
    params: { where: "hook on tool.before", value: -5, max: 1000 },
    message: "hook on tool.before: timeoutMs is -5, expected a whole number from 1 to 1000",
    status: 400,
    exitCode: 64,
  },
  SWARM_HOOK_NAME_TAKEN: {
    params: { name: "redact", event: "tool.after" },
    message: 'a hook named "redact" is already registered for tool.after, expected a name used once',
    status: 409,
    exitCode: 64,
  },
  SWARM_MATCHER_INVALID: {
    params: { where: "hook on tool.before", pattern: "a||b", problem: "expected a name on each side of |" },
    message: 'hook on tool.before: matcher "a||b" is invalid: expected a name on each side of |',
    status: 400,
    exitCode: 64,
  },
  SWARM_REGEX_UNAVAILABLE: {
    params: { where: "hook x on tool.before", pattern: "/a+/" },
    message:
      'hook x on tool.before: matcher "/a+/" is a regular expression, which needs the package re2js: npm install re2js',
    status: 400,
    exitCode: 64,
  },
  SWARM_ANSWER_INVALID: {
    params: { hook: "redact", problem: "42, expected an answer or nothing" },
    message: "hook redact answered 42, expected an answer or nothing",
    status: 500,
    exitCode: 70,
  },
  SWARM_VERDICT_ILLEGAL: {
    params: { hook: "redact", event: "prompt.submit", verdict: "ask", legal: "none, allow, deny" },
    message: 'hook redact answered verdict "ask" to prompt.submit, expected none, allow, deny',
    status: 500,
    exitCode: 70,
  },
  SWARM_REWRITE_ILLEGAL: {
    params: { hook: "redact", event: "tool.before", field: "tool_name", legal: "tool_input" },
    message: 'hook redact rewrote "tool_name" of tool.before, expected tool_input',
    status: 500,
    exitCode: 70,
  },
  SWARM_CONTEXT_TOO_LARGE: {
    params: { hook: "redact", chars: 30, limitChars: 20, scope: "in one answer" },
    message: "hook redact added 30 characters of context, expected at most 20 in one answer",
    status: 500,
    exitCode: 70,
  },
  SWARM_HANDLER_THREW: {
    params: { hook: "redact", error: "TypeError: x is not a function" },
    message: "hook redact failed: TypeError: x is not a function",
    status: 500,
    exitCode: 70,
  },
  SWARM_HANDLER_TIMED_OUT: {
    params: { hook: "redact", timeoutMs: 50 },
    message: "hook redact did not answer within 50 ms",
    status: 504,
    exitCode: 75,
  },
  SWARM_HOOK_OBJECT_INVALID: {
    params: { key: "on_begin", problem: "is not one of on_start, on_end" },
    message: 'hook object: "on_begin" is not one of on_start, on_end',
    status: 400,
    exitCode: 64,
  },
  SWARM_OBSERVERS_BEHIND: {
    params: { hook: "count", event: "tool.after", limit: 10 },
    message: "observer count of tool.after was not called: 10 observations are waiting, expected fewer",
    status: 503,
    exitCode: 75,
  },
  SWARM_ENGINE_CLOSED: {
    params: { operation: "emit" },
    message: "emit was called after close(), expected an open engine",
    status: 503,
    exitCode: 70,
  },
  SWARM_CONFIG_INVALID: {
    params: { file: "swarm.yaml", line: 12, column: 5, problem: "mode is 3, expected transform" },
    message: "swarm.yaml:12:5: mode is 3, expected transform",
    status: 400,
    exitCode: 65,
  },
  SWARM_CONFIG_UNREADABLE: {
    params: { file: "swarm.yaml", problem: "not a file, expected one" },
    message: "swarm.yaml: not a file, expected one",
    status: 400,
    exitCode: 65,
  },
  SWARM_CONFIG_OUTSIDE: {
    params: { file: "/p/swarm.yaml" },
    message: "/p/swarm.yaml: leads out of the project, expected a file in it",
    status: 400,
    exitCode: 65,
  },
  SWARM_CONFIG_VARIABLE: {
    params: {
      file: "swarm.yaml",
      line: 4,
      column: 13,
      key: "secret",
      variable: "TOKEN",
      problem: "which is not set",
    },
    message: 'swarm.yaml:4:13: secret uses the variable "TOKEN", which is not set',
    status: 400,
    exitCode: 65,
  },
  SWARM_SETTINGS_INVALID: {
    params: { file: "settings.json", line: 3, column: 1, problem: "value expected" },
    message: "settings.json:3:1: value expected",
    status: 400,
    exitCode: 65,
  },
  SWARM_TRIAL_REFUSED: {
    params: { agent: "cursor", problem: "no way is known" },
    message:
      "cursor cannot be tried without installing: no way is known; swarm install cursor, then swarm uninstall cursor",
    status: 400,
    exitCode: 65,
  },
  SWARM_SETTINGS_CHANGED: {
    params: { file: "/home/u/.claude/settings.json" },
    message:
      "/home/u/.claude/settings.json has changed meanwhile, so nothing was written: run the command again",
    status: 503,
    exitCode: 75,
  },
  SWARM_SETTINGS_UNUSABLE: {
    params: { file: "/home/u/.claude/settings.json", problem: "EACCES: permission denied" },
    message: "/home/u/.claude/settings.json cannot be used: EACCES: permission denied",
    status: 500,
    exitCode: 75,
  },
  SWARM_INSTALL_BUSY: {
    params: { file: "/home/u/.swarm/install.lock" },
    message: "another process is changing agents' settings (/home/u/.swarm/install.lock): try again",
    status: 503,
    exitCode: 75,
  },
  SWARM_COMMAND_NOT_STARTED: {
    params: { hook: "guard", error: "no program guard.py" },
    message: "hook guard could not be started: no program guard.py",
    status: 500,
    exitCode: 70,
  },
  SWARM_COMMAND_FAILED: {
    params: { hook: "guard", exitCode: 1, stderr: "oops" },
    message: "hook guard ended with exit code 1, expected 0 or 2: oops",
    status: 500,
    exitCode: 70,
  },
  SWARM_COMMAND_SIGNALLED: {
    params: { hook: "guard", signal: "SIGKILL", stderr: "" },
    message: "hook guard was ended by SIGKILL, expected an exit code",
    status: 500,
    exitCode: 70,
  },
  SWARM_COMMAND_FLOODED: {
    params: { hook: "guard", spillPath: "spill/1.out" },
    message: "hook guard wrote more than 1 MiB, expected an answer: see spill/1.out",
    status: 500,
    exitCode: 70,
  },
  SWARM_COMMAND_ANSWER: {
    params: { hook: "guard", problem: "Unexpected end of JSON input" },
    message: "hook guard answered what is not JSON: Unexpected end of JSON input",
    status: 500,
    exitCode: 70,
  },
  SWARM_MCP_UNREACHABLE: {
    params: { server: "tools", problem: "it ended with exit code 1" },
    message: 'MCP server "tools" cannot be reached: it ended with exit code 1',
    status: 502,
    exitCode: 75,
  },
  SWARM_MCP_LOST: {
    params: { server: "tools", problem: "it was ended by SIGKILL" },
    message: 'MCP server "tools" was lost before it answered: it was ended by SIGKILL',
    status: 502,
    exitCode: 75,
  },
  SWARM_MCP_REFUSED: {
    params: { server: "tools", problem: "-32602 Invalid arguments" },
    message: 'MCP server "tools" answered with an error: -32602 Invalid arguments',
    status: 502,
    exitCode: 70,
  },
  SWARM_MCP_OVERSIZE: {
    params: { server: "tools", limitBytes: 1048576 },
    message: 'MCP server "tools" sent a message over 1048576 bytes, expected fewer',
    status: 502,
    exitCode: 70,
  },
  SWARM_MCP_TOOL_UNKNOWN: {
    params: { tool: "lgo", servers: "MCP server tools", suggestion: "log" },
    message: 'there is no tool "lgo" on MCP server tools, did you mean "log"?',
    status: 404,
    exitCode: 65,
  },
  SWARM_MCP_TOOL_AMBIGUOUS: {
    params: { tool: "log", servers: "a, b" },
    message: 'tool "log" is on a, b, expected one of them as the hook\'s server',
    status: 409,
    exitCode: 65,
  },
  SWARM_MCP_TOOL_FAILED: {
    params: { server: "tools", tool: "log", text: "disk full" },
    message: 'tool "log" of MCP server "tools" failed: disk full',
    status: 502,
    exitCode: 70,
  },
  SWARM_MCP_ANSWER: {
    params: { server: "tools", tool: "log", problem: "a list, expected an object" },
    message: 'tool "log" of MCP server "tools" returned a list, expected an object',
    status: 502,
    exitCode: 70,
  },
  SWARM_ADDRESS_REFUSED: {
    params: { hook: "judge", host: "a.example", problem: "10.0.0.1, private" },
    message:
      "hook judge may not connect to a.example (10.0.0.1, private), expected an address of the public internet or one its allow_private lists",
    status: 502,
    exitCode: 70,
  },
  SWARM_HOST_UNRESOLVED: {
    params: { hook: "judge", host: "a.example", problem: "getaddrinfo ENOTFOUND a.example" },
    message: "hook judge found no address of a.example: getaddrinfo ENOTFOUND a.example",
    status: 502,
    exitCode: 75,
  },
  SWARM_CONNECT_FAILED: {
    params: { hook: "judge", host: "a.example", problem: "connect ECONNREFUSED 192.0.2.1:443" },
    message: "hook judge could not connect to a.example: connect ECONNREFUSED 192.0.2.1:443",
    status: 502,
    exitCode: 75,
  },
  SWARM_TLS_FAILED: {
    params: { hook: "judge", host: "a.example", problem: "self-signed certificate" },
    message: "hook judge could not make a secure connection to a.example: self-signed certificate",
    status: 502,
    exitCode: 70,
  },
  SWARM_RESPONSE_BROKEN: {
    params: { hook: "judge", host: "a.example", problem: "other side closed" },
    message: "hook judge got no whole answer from a.example: other side closed",
    status: 502,
    exitCode: 75,
  },
  SWARM_RESPONSE_FLOODED: {
    params: { hook: "judge", limitBytes: 100 },
    message: "hook judge got more than 100 bytes, expected an answer",
    status: 502,
    exitCode: 70,
  },
  SWARM_RESPONSE_STATUS: {
    params: { hook: "judge", status: 302, detail: "redirects are not followed" },
    message: "hook judge got status 302, expected 2xx: redirects are not followed",
    status: 502,
    exitCode: 70,
  },
  SWARM_RESPONSE_CONTENT: {
    params: { hook: "judge", content: "text/html" },
    message: "hook judge got text/html, expected application/json",
    status: 502,
    exitCode: 70,
  },
  SWARM_RESPONSE_ANSWER: {
    params: { hook: "judge", problem: "Unexpected end of JSON input" },
    message: "hook judge was answered what is no JSON object: Unexpected end of JSON input",
    status: 502,
    exitCode: 70,
  },
  SWARM_PLUGIN_INVALID: {
    params: { plugin: "acme-bfsi", problem: "it has no manifest" },
    message: "plugin acme-bfsi cannot be used: it has no manifest",
    status: 400,
    exitCode: 65,
  },
  SWARM_PLUGIN_UNKNOWN: {
    params: { plugin: "acme-bsfi", suggestion: "acme-bfsi" },
    message: 'no plugin "acme-bsfi" is installed, did you mean "acme-bfsi"?',
    status: 404,
    exitCode: 64,
  },
  SWARM_PLUGIN_NOT_FOUND: {
    params: { written: "@acme/bfsi", cwd: "/p" },
    message: '"@acme/bfsi" is neither a folder nor a package in node_modules of /p or above',
    status: 404,
    exitCode: 64,
  },
  SWARM_PLUGIN_CHANGED: {
    params: { plugin: "acme-bfsi", approved: "a".repeat(64), found: "b".repeat(64) },
    message: "plugin acme-bfsi has digest bbbbbbbbbbbb…, expected aaaaaaaaaaaa…, the one that was approved",
    status: 409,
    exitCode: 65,
  },
  SWARM_PLUGIN_COMMAND_REFUSED: {
    params: { hook: "acme-bfsi/mask", why: "plugin_shell_hooks_enabled is off" },
    message: "hook acme-bfsi/mask may not run its program: plugin_shell_hooks_enabled is off",
    status: 403,
    exitCode: 65,
  },
  SWARM_EXCEPTION_REFUSED: {
    params: { problem: "nothing refuses it" },
    message: "no exception was made: nothing refuses it",
    status: 409,
    exitCode: 65,
  },
  SWARM_HOOK_KIND: {
    params: { hook: "judge", expected: "webhook" },
    message: "hook judge is of another type, expected webhook",
    status: 400,
    exitCode: 64,
  },
  SWARM_DELIVERY_UNKNOWN: {
    params: { id: "msg_1" },
    message: 'there is no delivery "msg_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_DELIVERY_PENDING: {
    params: { id: "msg_1" },
    message: 'delivery "msg_1" is pending, expected one that was delivered or given up',
    status: 409,
    exitCode: 64,
  },
  SWARM_DELIVERY_GIVEN_UP: {
    params: { hook: "notify", id: "msg_1", attempts: 4, problem: "status 429" },
    message: "hook notify gave up delivery msg_1 after 4 attempts: status 429",
    status: 502,
    exitCode: 70,
  },
  SWARM_TARGET_LOST: {
    params: { target: "tgt_1" },
    message: "tgt_1 is another worker's by now, expected it to be ours",
    status: 503,
    exitCode: 75,
  },
  SWARM_INBOUND_UNKNOWN: {
    params: { source: "relay" },
    message: 'no source "relay" is configured under inbound',
    status: 404,
    exitCode: 64,
  },
  SWARM_INBOUND_REFUSED: {
    params: { source: "relay", problem: "no signature fits" },
    message: "a message for relay is refused: no signature fits",
    status: 401,
    exitCode: 65,
  },
  SWARM_INBOUND_REPLAYED: {
    params: { source: "relay", id: "msg_1" },
    message: 'message "msg_1" for relay was received already',
    status: 409,
    exitCode: 65,
  },
  SWARM_STORE_FULL: {
    params: { location: "/h/swarm.db", problem: "database or disk is full" },
    message: "/h/swarm.db cannot be written, is the disk full? database or disk is full",
    status: 507,
    exitCode: 75,
  },
  SWARM_FILES_REMOVED: {
    params: { kind: "drift", id: "dr_1" },
    message: 'the files of drift "dr_1" are removed by another process',
    status: 409,
    exitCode: 65,
  },
  SWARM_FILES_NOT_REMOVED: {
    params: { folder: "/h/batch/r1", problem: "EACCES: permission denied" },
    message: "/h/batch/r1 could not be removed: EACCES: permission denied",
    status: 503,
    exitCode: 75,
  },
  SWARM_STORE_BUSY: {
    params: { location: "/h/swarm.db", problem: "database is locked" },
    message: "/h/swarm.db is held by another process: database is locked",
    status: 503,
    exitCode: 75,
  },
  SWARM_STORE_FAILED: {
    params: { location: "/h/swarm.db", problem: "file is not a database" },
    message: "/h/swarm.db cannot be used: file is not a database",
    status: 500,
    exitCode: 70,
  },
  SWARM_STORE_DAMAGED: {
    params: { location: "/h/swarm.db-wal", problem: "EIO: i/o error, fdatasync" },
    message:
      "/h/swarm.db-wal did not reach the disk, and nothing is recorded any more: EIO: i/o error, fdatasync",
    status: 500,
    exitCode: 70,
  },
  SWARM_STORE_NEWER: {
    params: { location: "/h/swarm.db", version: 99, newest: 12 },
    message: "/h/swarm.db has version 99, expected at most 12: update swarm-hooks",
    status: 500,
    exitCode: 70,
  },
  SWARM_STORE_UNSUPPORTED: {
    params: { url: "postgres://db/swarm" },
    message:
      'no store can be kept at "postgres://db/swarm": expected a path or sqlite:PATH; PostgreSQL comes later',
    status: 400,
    exitCode: 64,
  },
  SWARM_VERIFY_ENDED: {
    params: { problem: "nobody waits for it any more" },
    message: "the record was not verified to its end: nobody waits for it any more",
    status: 503,
    exitCode: 75,
  },
  SWARM_AUDIT_INTACT: {
    params: {},
    message: "the record is intact: there is nothing to accept",
    status: 409,
    exitCode: 64,
  },
  SWARM_EXPORT_UNREADABLE: {
    params: { file: "audit.jsonl", problem: "line 3 is not a JSON object" },
    message: "audit.jsonl: line 3 is not a JSON object",
    status: 400,
    exitCode: 65,
  },
  SWARM_MANIFEST_UNREADABLE: {
    params: { file: "january.pdf.manifest.json", problem: "there is none" },
    message: "january.pdf.manifest.json: there is none",
    status: 400,
    exitCode: 65,
  },
  SWARM_PDF_PACKAGE_MISSING: {
    params: {},
    message:
      "PDFs need the package @swarm-hooks/pdf, which is not installed: npm install -g @swarm-hooks/pdf (without -g where swarm-hooks is in a project)",
    status: 400,
    exitCode: 65,
  },
  SWARM_PDF_RUN_UNKNOWN: {
    params: { run_id: "cr_1", kind: "run" },
    message: 'the record has no rows of run "cr_1"',
    status: 404,
    exitCode: 65,
  },
  SWARM_PDF_UNKNOWN: {
    params: { id: "pdf_1" },
    message: 'no PDF of the record is kept as "pdf_1"',
    status: 404,
    exitCode: 65,
  },
  SWARM_PDF_UNWRITABLE: {
    params: { file: "january.pdf", problem: "it exists" },
    message: "january.pdf cannot be written: it exists",
    status: 400,
    exitCode: 65,
  },
  SWARM_PDF_FAILED: {
    params: { problem: "out of memory" },
    message: "no PDF could be made: out of memory",
    status: 500,
    exitCode: 70,
  },
  SWARM_HOST_REFUSED: {
    params: { host: "evil.test:7077", expected: "127.0.0.1:7077 or localhost:7077" },
    message: 'host "evil.test:7077" is refused, expected 127.0.0.1:7077 or localhost:7077',
    status: 403,
    exitCode: 64,
  },
  SWARM_ORIGIN_REFUSED: {
    params: { origin: "https://evil.test" },
    message: 'origin "https://evil.test" is refused, expected none or the daemon\'s own',
    status: 403,
    exitCode: 64,
  },
  SWARM_ROLE_REFUSED: {
    params: { name: "ci", role: "viewer", needed: "admin", operation: "POST /api/v1/tokens" },
    message: '"ci" is viewer, and POST /api/v1/tokens takes admin',
    status: 403,
    exitCode: 64,
  },
  SWARM_TOKEN_TAKEN: {
    params: { name: "ci" },
    message: 'the name "ci" is taken, expected one that never was',
    status: 409,
    exitCode: 65,
  },
  SWARM_TOKEN_UNKNOWN: {
    params: { name: "ci" },
    message: 'no token "ci" is in force',
    status: 404,
    exitCode: 65,
  },
  SWARM_FLAG_UNKNOWN: {
    params: { flag: "hook_enabled", suggestion: "hooks_enabled" },
    message: 'no flag "hook_enabled", did you mean "hooks_enabled"?',
    status: 404,
    exitCode: 65,
  },
  SWARM_METRICS_OFF: {
    params: {},
    message: "the flag metrics is off, expected on",
    status: 404,
    exitCode: 65,
  },
  SWARM_FLAG_NOT_SET: {
    params: { flag: "metrics" },
    message: 'the flag "metrics" is not set, expected one that swarm flags set has set',
    status: 404,
    exitCode: 65,
  },
  SWARM_READERS_FULL: {
    params: { limit: 64 },
    message: "64 read the stream already, expected fewer",
    status: 503,
    exitCode: 75,
  },
  SWARM_DAEMON_NEEDED: {
    params: { operation: "a login link" },
    message: "a login link takes a daemon, and none runs: start it with swarm up",
    status: 503,
    exitCode: 75,
  },
  SWARM_LOGIN_REFUSED: {
    params: {},
    message: "this login link is used up, too old or none of ours",
    status: 401,
    exitCode: 64,
  },
  SWARM_TOKEN_REFUSED: {
    params: { given: "no token" },
    message: "no token was given, expected the one in SWARM_HOME/token as a bearer token",
    status: 401,
    exitCode: 64,
  },
  SWARM_DASHBOARD_MISSING: {
    params: { problem: "ENOENT: no such file or directory, open 'index.html'" },
    message: "the dashboard is not there: ENOENT: no such file or directory, open 'index.html'",
    status: 503,
    exitCode: 70,
  },
  SWARM_ROUTE_UNKNOWN: {
    params: { method: "GET", path: "/api/v1/nothing" },
    message: 'there is no GET "/api/v1/nothing"',
    status: 404,
    exitCode: 64,
  },
  SWARM_METHOD_REFUSED: {
    params: { method: "DELETE", path: "/api/v1/hooks", allowed: "GET, HEAD" },
    message: '"/api/v1/hooks" takes no DELETE, expected GET, HEAD',
    status: 405,
    exitCode: 64,
  },
  SWARM_REQUEST_INVALID: {
    params: { problem: "Invalid host header" },
    message: "the request cannot be read: Invalid host header",
    status: 400,
    exitCode: 64,
  },
  SWARM_BODY_TOO_LARGE: {
    params: { limitBytes: 100 },
    message: "the body is over 100 bytes, expected fewer",
    status: 413,
    exitCode: 65,
  },
  SWARM_BODY_INVALID: {
    params: { problem: "Unexpected end of JSON input" },
    message: "the body is not JSON: Unexpected end of JSON input",
    status: 400,
    exitCode: 65,
  },
  SWARM_DRIFT_SOURCE_UNKNOWN: {
    params: { source: "abc123", problem: "there is no run of this id", suggestion: "abc124" },
    message: '"abc123" cannot be compared: there is no run of this id, did you mean "abc124"?',
    status: 404,
    exitCode: 65,
  },
  SWARM_DRIFT_RUN_UNFINISHED: {
    params: { kind: "batch", run: "abc123", state: "failed", reason: "2 records failed, 1 may" },
    message:
      'batch run "abc123" cannot be compared before it is completed: it is failed (2 records failed, 1 may)',
    status: 409,
    exitCode: 65,
  },
  SWARM_DRIFT_RUN_DATA_GONE: {
    params: { run: "abc123", file: "/data/results.jsonl", problem: "was removed" },
    message: "what abc123 has made is gone: /data/results.jsonl was removed",
    status: 410,
    exitCode: 65,
  },
  SWARM_DRIFT_DATA_INVALID: {
    params: { file: "/data/a.csv", problem: "it has 3 records, expected 10 at least" },
    message: "/data/a.csv: it has 3 records, expected 10 at least",
    status: 422,
    exitCode: 65,
  },
  SWARM_DRIFT_ENDED: {
    params: { problem: "it ran out of memory" },
    message: "the drift check was ended: it ran out of memory",
    status: 503,
    exitCode: 75,
  },
  SWARM_DRIFT_CHECK_UNKNOWN: {
    params: { check: "dr_1" },
    message: 'there is no drift check "dr_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_BASELINE_UNKNOWN: {
    params: { name: "fruad", suggestion: "fraud" },
    message: 'there is no baseline "fruad", did you mean "fraud"?',
    status: 404,
    exitCode: 64,
  },
  SWARM_EVENT_NOT_POSTABLE: {
    params: { event: "cron.fired" },
    message: "cron.fired cannot be sent, expected an event that is not the system's own",
    status: 403,
    exitCode: 64,
  },
  SWARM_HOOK_UNKNOWN: {
    params: { hook: "gaurd", suggestion: "guard" },
    message: 'no hook "gaurd" is in force here, did you mean "guard"?',
    status: 404,
    exitCode: 64,
  },
  SWARM_RUN_UNKNOWN: {
    params: { id: "evt_1" },
    message: 'the record has no event "evt_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_PORT_TAKEN: {
    params: { port: 7077, problem: "address already in use" },
    message: "port 7077 cannot be used: address already in use; try --port 0",
    status: 500,
    exitCode: 75,
  },
  SWARM_SOCKET_FAILED: {
    params: { socket: "/h/swarm.sock", problem: "listen EINVAL" },
    message: "/h/swarm.sock cannot be listened on: listen EINVAL",
    status: 500,
    exitCode: 70,
  },
  SWARM_NOT_SERVING: {
    params: { state: "stopping" },
    message: "the daemon is stopping, expected one that runs",
    status: 503,
    exitCode: 75,
  },
  SWARM_DAEMON_LOST: {
    params: { socket: "/h/swarm.sock", problem: "socket hang up" },
    message: "the daemon at /h/swarm.sock did not answer: socket hang up",
    status: 503,
    exitCode: 75,
  },
  SWARM_SCHEDULE_INVALID: {
    params: { schedule: "0 25 * * *", position: 3, problem: '"25" is no hour, expected 0 to 23' },
    message: 'schedule "0 25 * * *", position 3: "25" is no hour, expected 0 to 23',
    status: 400,
    exitCode: 65,
  },
  SWARM_SCHEDULE_NEVER: {
    params: { schedule: "0 0 30 2 *", problem: "no date fits it" },
    message: 'schedule "0 0 30 2 *" never fires: no date fits it, expected one that does',
    status: 400,
    exitCode: 65,
  },
  SWARM_TIME_ZONE_UNKNOWN: {
    params: { zone: "Europe/Berlim", suggestion: "Europe/Berlin" },
    message: 'unknown time zone "Europe/Berlim", did you mean "Europe/Berlin"?',
    status: 400,
    exitCode: 65,
  },
  SWARM_CRON_JOB_UNKNOWN: {
    params: { job: "nighly", suggestion: "nightly" },
    message: 'there is no job "nighly", did you mean "nightly"?',
    status: 404,
    exitCode: 64,
  },
  SWARM_CRON_JOB_DECLARED: {
    params: { name: "nightly", file: "/home/ann/.swarm/config.yaml" },
    message: 'job "nightly" is declared in /home/ann/.swarm/config.yaml, expected a change there',
    status: 409,
    exitCode: 65,
  },
  SWARM_CRON_FILE_INVALID: {
    params: { at: 2, problem: "there is no schedule" },
    message: "job 2 of the file: there is no schedule",
    status: 400,
    exitCode: 65,
  },
  SWARM_CRON_NAME_TAKEN: {
    params: { name: "nightly" },
    message: 'a job named "nightly" is there already, expected another name',
    status: 409,
    exitCode: 65,
  },
  SWARM_CRON_JOB_CHANGED: {
    params: { jobId: "cj_1" },
    message: 'job "cj_1" was changed by somebody else meanwhile, expected it as it was',
    status: 409,
    exitCode: 65,
  },
  SWARM_CRON_JOB_BUSY: {
    params: { name: "nightly" },
    message: 'a run of job "nightly" is under way, expected none: its overlap policy is skip',
    status: 409,
    exitCode: 65,
  },
  SWARM_CRON_RUN_UNKNOWN: {
    params: { run: "cr_1" },
    message: 'there is no run "cr_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_CRON_RUN_LOST: {
    params: { runId: "cr_1" },
    message: 'run "cr_1" is not this daemon\'s any more',
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_PROCESSOR_UNKNOWN: {
    params: { processor: "ecco", known: ["echo"], suggestion: "echo" },
    message: 'unknown processor "ecco", did you mean "echo"?',
    status: 400,
    exitCode: 65,
  },
  SWARM_BATCH_RUN_TAKEN: {
    params: { runId: "br_1" },
    message: 'a batch run "br_1" is there already, expected another id',
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_RUN_UNKNOWN: {
    params: { runId: "br_1" },
    message: 'there is no batch run "br_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_BATCH_RUN_STATE: {
    params: { runId: "br_1", state: "completed", expected: "one to go on with" },
    message: 'batch run "br_1" is completed, expected one to go on with',
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_RUN_LOST: {
    params: { runId: "br_1" },
    message: 'batch run "br_1" was changed by somebody else meanwhile',
    status: 409,
    exitCode: 65,
  },
  SWARM_BATCH_DENIED: {
    params: { runId: "br_1", reason: "denied by no-code" },
    message: 'batch run "br_1" does not run: denied by no-code',
    status: 403,
    exitCode: 65,
  },
  SWARM_BATCH_UPLOAD_BROKEN: {
    params: { problem: "aborted" },
    message: "the records ended before their end: aborted",
    status: 400,
    exitCode: 65,
  },
  SWARM_BATCH_FOLDER_FAILED: {
    params: { folder: "/out", problem: "no space left" },
    message: 'folder "/out": no space left',
    status: 507,
    exitCode: 75,
  },
  SWARM_BATCH_NOTHING_FOLLOWS: {
    params: { option: "--detach" },
    message: "--detach needs a daemon and none runs, expected swarm up before",
    status: 409,
    exitCode: 65,
  },
  SWARM_TASK_UNKNOWN: {
    params: { task: "task_1" },
    message: 'there is no task "task_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_TASK_EXISTS: {
    params: { task: "a" },
    message: 'a task "a" is there already, expected another id',
    status: 409,
    exitCode: 65,
  },
  SWARM_TASK_STATE: {
    params: { task: "a", action: "report", state: "landed", from: ["claimed", "working"], to: ["reported"] },
    message: 'task "a" is landed: report leads from claimed or working to reported',
    status: 409,
    exitCode: 65,
  },
  SWARM_TASK_CHANGED: {
    params: { task: "a" },
    message: 'task "a" was changed by somebody else meanwhile, expected it as it was',
    status: 409,
    exitCode: 65,
  },
  SWARM_TASK_CYCLE: {
    params: { cycle: ["a", "b", "a"] },
    message: "tasks would wait for each other: a → b → a, expected no circle",
    status: 400,
    exitCode: 65,
  },
  SWARM_TASK_REFUSED: {
    params: { what: "task a", reason: "ERROR: Task goal too short" },
    message: "task a was refused: ERROR: Task goal too short",
    status: 403,
    exitCode: 65,
  },
  SWARM_TASK_NOT_READY: {
    params: { task: "a", why: "it waits for b (open)" },
    message: 'task "a" is not ready: it waits for b (open)',
    status: 409,
    exitCode: 65,
  },
  SWARM_TASK_NONE_READY: {
    params: { role: "backend" },
    message: 'no task is ready for the role "backend"',
    status: 404,
    exitCode: 65,
  },
  SWARM_TASK_EVIDENCE_MISSING: {
    params: { task: "a" },
    message: 'task "a" changes no files: its report needs evidence, expected at least one piece',
    status: 400,
    exitCode: 65,
  },
  SWARM_TASKS_INVALID: {
    params: { at: 2, problem: "goal is missing" },
    message: "task 2 of the file: goal is missing",
    status: 400,
    exitCode: 65,
  },
  SWARM_AGENT_UNKNOWN: {
    params: { agent: "a" },
    message: 'there is no agent "a"',
    status: 404,
    exitCode: 64,
  },
  SWARM_AGENT_EXISTS: {
    params: { agent: "a" },
    message: 'there is or was an agent "a", expected another id',
    status: 409,
    exitCode: 65,
  },
  SWARM_AGENT_CHANGED: {
    params: { agent: "a" },
    message: 'agent "a" was changed by somebody else meanwhile, expected it as it was',
    status: 409,
    exitCode: 65,
  },
  SWARM_AGENT_ENDED: {
    params: { agent: "a", status: "killed" },
    message: 'agent "a" is killed, expected one that runs',
    status: 409,
    exitCode: 65,
  },
  SWARM_MAIL_ADDRESS: {
    params: { to: "role:ops", why: "no other agent of this role runs" },
    message: 'no message can be sent to "role:ops": no other agent of this role runs',
    status: 404,
    exitCode: 64,
  },
  SWARM_MAIL_TOO_LARGE: {
    params: { bytes: 20_000, max: 16_384 },
    message: "a message has 20000 bytes, expected 1 to 16384",
    status: 413,
    exitCode: 65,
  },
  SWARM_MAIL_RATE: {
    params: { sender: "agent:a", max: 30 },
    message: '"agent:a" has sent 30 messages within a minute, expected fewer',
    status: 429,
    exitCode: 65,
  },
  SWARM_MAIL_INBOX_FULL: {
    params: { agent: "a", max: 100 },
    message: 'agent "a" has 100 unread messages, expected fewer',
    status: 409,
    exitCode: 65,
  },
  SWARM_MAIL_UNKNOWN: {
    params: { message: "msg_1" },
    message: 'there is no message "msg_1" here',
    status: 404,
    exitCode: 64,
  },
  SWARM_MAIL_NO_INBOX: {
    params: { caller: "owner" },
    message: '"owner" has no inbox, expected an agent with its token',
    status: 403,
    exitCode: 65,
  },
  SWARM_LEASE_STALE: {
    params: { task: "a", epoch: 1, why: "agent:b has it, with epoch 2" },
    message: 'lease 1 of task "a" is over: agent:b has it, with epoch 2',
    status: 409,
    exitCode: 65,
  },
  SWARM_CRON_TASK_UNKNOWN: {
    params: { task: "drift", known: ["custom", "drift_check"], suggestion: undefined },
    message: 'unknown task "drift", expected custom, drift_check',
    status: 400,
    exitCode: 65,
  },
  SWARM_TASK_UNAVAILABLE: {
    params: { task: "retrain" },
    message: 'tasks of kind "retrain" cannot be run by this version',
    status: 500,
    exitCode: 70,
  },
  SWARM_PIPELINE_UNKNOWN: {
    params: { pipeline: "frad", folder: "/srv/fraud", suggestion: "fraud" },
    message: 'there is no pipeline "frad" in /srv/fraud, did you mean "fraud"?',
    status: 404,
    exitCode: 64,
  },
  SWARM_PIPELINE_UNTRUSTED: {
    params: { pipeline: "fraud", file: "/srv/fraud/swarm.yaml", problem: "train has changed" },
    message: 'pipeline "fraud" of /srv/fraud/swarm.yaml may not run: train has changed',
    status: 403,
    exitCode: 65,
  },
  SWARM_PIPELINE_BUSY: {
    params: { pipeline: "fraud", run: "pr_1" },
    message: 'run pr_1 of pipeline "fraud" is under way, expected none',
    status: 409,
    exitCode: 65,
  },
  SWARM_PIPELINE_RUN_UNKNOWN: {
    params: { run: "pr_1" },
    message: 'there is no pipeline run "pr_1"',
    status: 404,
    exitCode: 64,
  },
  SWARM_PIPELINE_RUN_ENDED: {
    params: { run: "pr_1", status: "completed" },
    message: "pipeline run pr_1 is completed, expected one with steps left to do",
    status: 409,
    exitCode: 65,
  },
  SWARM_PIPELINE_RUN_LOST: {
    params: { run: "pr_1" },
    message: "pipeline run pr_1 is not this process's any more",
    status: 409,
    exitCode: 65,
  },
  SWARM_PIPELINE_ELSEWHERE: {
    params: { run: "pr_1" },
    message: "pipeline run pr_1 is run by another process, expected one of this one",
    status: 409,
    exitCode: 65,
  },
  SWARM_MODEL_UNKNOWN: {
    params: { model: "frad", suggestion: "fraud" },
    message: 'there is no model "frad", did you mean "fraud"?',
    status: 404,
    exitCode: 64,
  },
  SWARM_MODEL_VERSION_UNKNOWN: {
    params: { model: "fraud", version: 9 },
    message: 'model "fraud" has no version 9',
    status: 404,
    exitCode: 64,
  },
  SWARM_PROMOTION_DENIED: {
    params: { model: "fraud", version: 2, stage: "production", reason: "denied by human:ada" },
    message: 'version 2 of model "fraud" is not promoted to "production": denied by human:ada',
    status: 403,
    exitCode: 65,
  },
  SWARM_INTERNAL: {
    params: { problem: "x is not a function" },
    message: "this is a bug in swarm-hooks: x is not a function",
    status: 500,
    exitCode: 70,
  },
  SWARM_USAGE: {
    params: { problem: 'unknown command "evnts"', hint: "run swarm --help" },
    message: 'unknown command "evnts"; run swarm --help',
    status: 400,
    exitCode: 64,
  },
  SWARM_HOOK_UNTRUSTED: {
    params: { hook: "notify" },
    message: "hook notify is not approved: look at it with swarm trust",
    status: 403,
    exitCode: 65,
  },
  SWARM_TRUST_STALE: {
    params: { file: "/p/swarm.yaml", given: "abc", digest: "def" },
    message: '/p/swarm.yaml is not what was shown: its digest is def, not "abc"; look at it again',
    status: 409,
    exitCode: 65,
  },
  SWARM_FILE_UNTRUSTED: {
    params: { path: "/m/fraud.joblib", sha256: "ab12", approved: false },
    message:
      "/m/fraud.joblib runs code when it is loaded and is not approved (sha256 ab12): swarm trust --file /m/fraud.joblib",
    status: 403,
    exitCode: 65,
  },
  SWARM_FILE_UNREADABLE: {
    params: { path: "/m", problem: "not a file, expected one" },
    message: "/m cannot be read: not a file, expected one",
    status: 400,
    exitCode: 65,
  },
  SWARM_FILE_NOT_APPROVED: {
    params: { file: "/m/fraud.joblib" },
    message: 'there is no approval of "/m/fraud.joblib" to be taken back',
    status: 404,
    exitCode: 64,
  },
  SWARM_ONNX_RUNTIME_MISSING: {
    params: { looked: null },
    message:
      "ONNX models need onnxruntime-node, which is not installed: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node",
    status: 400,
    exitCode: 65,
  },
  SWARM_SKLEARN_MISSING: {
    params: { python: "python3", problem: "No module named 'sklearn'" },
    message:
      "python3 cannot load joblib models: No module named 'sklearn'; install scikit-learn for it (python3 -m pip install scikit-learn, on Debian apt install python3-sklearn), or set python to one that has it",
    status: 400,
    exitCode: 65,
  },
  SWARM_TRUST_NOTHING: {
    params: { folder: "/p" },
    message: "no hooks of a project are in force in /p, expected a swarm.yaml with some at or above it",
    status: 404,
    exitCode: 64,
  },
  SWARM_TRUST_UNKEPT: {
    params: { folder: "/h/trust", problem: "ENOSPC: no space left on device" },
    message: "/h/trust cannot be written: ENOSPC: no space left on device",
    status: 507,
    exitCode: 75,
  },
  SWARM_TRUST_TOO_MUCH: {
    params: { hook: "lint", problem: "more than 1000 files" },
    message: "hook lint cannot be approved: more than 1000 files",
    status: 400,
    exitCode: 65,
  },
  SWARM_BATCH_FUNCTION_UNKNOWN: {
    params: { module: "score", looked: ["no score.py in /data", "no package score in node_modules"] },
    message: 'module "score" is not one: no score.py in /data; no package score in node_modules',
    status: 400,
    exitCode: 65,
  },
  SWARM_BATCH_START_FAILED: {
    params: { processor: "custom", problem: "./score.ts has no function named score" },
    message: 'no worker of processor "custom" can be used: ./score.ts has no function named score',
    status: 400,
    exitCode: 65,
  },
  SWARM_BATCH_WORKER_LOST: {
    params: { how: "was ended by SIGSEGV" },
    message: "the worker was ended by SIGSEGV, expected it to stay",
    status: 503,
    exitCode: 75,
  },
};

for (const code of Object.keys(errorCatalog) as ErrorCode[]) {
  test(`${code} says which value it refused and leaves with its own status and exit code`, () => {
    const { params, ...expected } = samples[code];
    const { name, message, status, exitCode, ...error } = pick(new SwarmError(code, params));
    assert.deepEqual({ message, status, exitCode }, expected);
    assert.equal(name, "SwarmError");
    assert.deepEqual(error, { code, params });
  });
}

test("an error that leaves a field out says that it is missing", () => {
  const params = { event: "tool.before", field: "tool_name", expected: "a string", value: undefined };
  assert.equal(
    new SwarmError("SWARM_PAYLOAD_INVALID", params).message,
    "tool.before: tool_name is missing, expected a string",
  );
});

test("an unknown event without a near name is named alone", () => {
  const error = new SwarmError("SWARM_EVENT_UNKNOWN", { event: 42, suggestion: undefined });
  assert.equal(error.message, "unknown event 42");
});

test("an error keeps its cause, is an Error and has a stack", () => {
  const cause = new TypeError("x is not a function");
  const error = new SwarmError("SWARM_HANDLER_THREW", { hook: "redact", error: String(cause) }, { cause });
  assert.ok(error instanceof Error);
  assert.equal(error.cause, cause);
  assert.match(error.stack ?? "", /errors\.test\.ts/);
});

test("an error of the whole catalogue is one to whoever knows the engine's only", () => {
  const error = new SwarmError("SWARM_USAGE", { problem: "no such command", hint: "" });
  assert.ok(error instanceof EngineError);
  assert.ok(new EngineError("SWARM_ENGINE_CLOSED", { operation: "on" }) instanceof SwarmError);
});

test("the engine alone has no errors of other parts, and says so where one is asked for", () => {
  const program = `const { SwarmError } = await import(${JSON.stringify(import.meta.resolve("../index.ts"))});
    try { new SwarmError("SWARM_USAGE", {}) } catch (error) { console.log(error.message) }`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  assert.equal(printed, "SWARM_USAGE is in no catalogue of errors\n");
});

test("a refused value of many lines and megabytes leaves the message one short line", () => {
  const value = "line\n".repeat(1_000_000);
  const params = { event: "tool.before", field: "tool_name", expected: "a string", value };
  const { message } = new SwarmError("SWARM_PAYLOAD_INVALID", params);
  assert.ok(message.length < 200, `${message.length} characters`);
  assert.doesNotMatch(message, /[\r\n]/);
});

test("secrets in what was refused are not in the message, wherever it is cut", () => {
  maskMessages();
  const token = `ghp_${filler(36)}`;
  for (const before of ["", "x".repeat(60), "x".repeat(1_980)]) {
    const params = { file: "f", line: 1, column: 1, problem: `${before} ${token} is not valid` };
    const { message } = new SwarmError("SWARM_CONFIG_INVALID", params);
    assert.doesNotMatch(message, /ghp_/);
  }
  const shown = new SwarmError("SWARM_EVENT_UNKNOWN", {
    event: `${"x".repeat(70)} ${token}`,
    suggestion: undefined,
  });
  assert.doesNotMatch(shown.message, /ghp_/);
});

function pick({ name, message, status, exitCode, code, params }: SwarmError) {
  return { name, message, status, exitCode, code, params };
}
