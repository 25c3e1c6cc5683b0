import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DashboardFiles, dashboardPaths } from "./dashboard-files.ts";
import { ask, startedDaemon } from "./harness.cases.ts";

test("the daemon serves the page to whoever asks at its own address, and to nobody else", async (t) => {
  const { port } = await startedDaemon(t);
  const host = `127.0.0.1:${port}`;
  for (const path of dashboardPaths) {
    assert.equal((await ask({ port, path, headers: { host } })).status, 200, path);
    const head = await ask({ port, method: "HEAD", path, headers: { host } });
    assert.deepEqual([head.status, head.text], [200, ""], path);
    const rebound = await ask({ port, path, headers: { host: `rebound.example:${port}` } });
    assert.equal(rebound.status, 403, path);
    const foreign = await ask({ port, path, headers: { host, origin: "https://other.example" } });
    assert.equal(foreign.status, 403, path);
    const posted = await ask({ port, method: "POST", path, headers: { host } });
    assert.deepEqual([posted.status, posted.headers.allow], [405, "GET, HEAD"]);
  }
});

test("what is not the dashboard's is not served, however it is written", async (t) => {
  const { port } = await startedDaemon(t);
  const headers = { host: `127.0.0.1:${port}` };
  for (const path of [
    "/../package.json",
    "/%2e%2e/package.json",
    "/index.html",
    "//app.js",
    "/app.js/",
    "/App.js",
  ])
    assert.ok([401, 404].includes((await ask({ port, path, headers })).status), path);
});

test("nothing but its own scripts and styles runs in the page, and nobody can frame it", async (t) => {
  const { port } = await startedDaemon(t);
  const { headers, text } = await ask({ port, path: "/", headers: { host: `127.0.0.1:${port}` } });
  const policy = String(headers["content-security-policy"]);
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ])
    assert.ok(policy.split("; ").includes(part), part);
  assert.doesNotMatch(policy, /unsafe|\*|http/);
  assert.deepEqual(
    [headers["x-content-type-options"], headers["referrer-policy"], headers["cache-control"]],
    ["nosniff", "no-referrer", "no-cache"],
  );
  // What the policy would stop is not there either.
  assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=|<script>/);
});

test("a file is read when it is first asked for, kept, and not sent to who has it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "swarm-dashboard-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = new DashboardFiles(folder);
  await assert.rejects(files.answer("/app.js", undefined), { code: "SWARM_DASHBOARD_MISSING" });
  writeFileSync(join(folder, "app.js"), "first");
  const first = await files.answer("/app.js", undefined);
  assert.equal(await first.text(), "first");
  writeFileSync(join(folder, "app.js"), "second");
  assert.equal(await (await files.answer("/app.js", undefined)).text(), "first");
  const etag = first.headers.get("etag") ?? "";
  const again = await files.answer("/app.js", etag);
  assert.deepEqual([again.status, await again.text(), again.headers.get("etag")], [304, "", etag]);
});
