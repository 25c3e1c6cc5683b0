import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding, ScanReport } from "../report.ts";
import { pageOf } from "./page.ts";

const hostile = `</pre></style><script>alert("1")</script><img src=x onerror='alert(1)'>\u202e\u001b[31m&amp;`;

const finding: Finding = {
  time: "2026-11-10T10:00:00.000Z",
  agent: "claude-code",
  session: hostile,
  subagent: hostile,
  cwd: hostile,
  tool: hostile,
  call: `first line\n${hostile}`,
  group: 1,
  verdict: "deny",
  rule: hostile,
  reason: hostile,
  file: hostile,
  change: null,
  before: null,
};

const report: ScanReport = {
  version: 1,
  summary: hostile,
  since: null,
  until: "2026-11-16T10:00:00.000Z",
  policy: hostile,
  compared_with: null,
  looked_in: [],
  agents: [{ agent: "claude-code", files: 1, sessions: 1, calls: 1_234 }],
  older_files: 0,
  calls: 1_234,
  counts: {
    deny: 1,
    ask: 0,
    newly_denied: 1,
    newly_asked: 0,
    asked_instead_of_denied: 0,
    newly_let_through: 0,
    newly_allowed: 0,
  },
  groups: [
    {
      id: 1,
      label: hostile,
      summary: hostile,
      count: 1,
      verdict: "deny",
      rule: hostile,
      reason: hostile,
      change: null,
    },
  ],
  findings: [finding],
  not_listed: 0,
  unread: {
    long_lines: 0,
    broken_lines: 2,
    unjudged_calls: 0,
    not_files: 0,
    files: [{ file: hostile, problem: hostile }],
    files_not_listed: 0,
  },
};

const compared: ScanReport = {
  ...report,
  compared_with: hostile,
  groups: report.groups.map((group) => ({ ...group, change: "newly_denied" })),
  findings: [{ ...finding, change: "newly_denied", before: { verdict: "none", rule: null, reason: null } }],
};

for (const [name, shown] of Object.entries({ report, compared })) {
  test(`whatever a transcript says is text on the page of a ${name}, and nothing else`, () => {
    const page = pageOf(shown);
    const tags = new Set([...page.matchAll(/<\/?([a-z!]\w*)/gi)].map(([, tag]) => tag));
    for (const tag of ["script", "img", "iframe", "link", "a"]) assert.equal(tags.has(tag), false, tag);
    assert.equal(page.match(/<\/style>/g)?.length, 1);
    assert.equal(page.match(/<\/pre>/g)?.length, 1);
    for (const unseen of ["\u202e", "\u001b"]) assert.equal(page.includes(unseen), false);
    assert.match(page, /first line\n&lt;\/pre&gt;&lt;\/style&gt;&lt;script&gt;alert\(&quot;1&quot;\)/);
    assert.match(page, /\\u\{202e\}\\u\{1b\}\[31m&amp;amp;/);
  });

  test(`the page of a ${name} loads nothing and runs nothing`, () => {
    const page = pageOf(shown);
    assert.match(page, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
    // Attributes of our own: none leads anywhere.
    assert.doesNotMatch(page.replaceAll(/&lt;.*?&gt;/g, ""), /\b(?:src|href|on\w+)=/);
    assert.doesNotMatch(page, /url\(|@import/);
  });
}

test("the page says what is not in its numbers", () => {
  assert.match(pageOf(report), /Not in these numbers.*2 lines that cannot be read as JSON passed over/s);
});

test("a page without findings says so", () => {
  assert.match(pageOf({ ...report, groups: [], findings: [] }), /every call would have happened as it did/);
});
