import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { startedDaemon } from "../../src/daemon/server/harness.cases.ts";
import { Place, type Up } from "../e2e/harness.ts";

const executablePath = "/usr/bin/chromium";

/** False, or why there can be no browser here. */
export const withoutBrowser = existsSync(executablePath)
  ? false
  : `needs ${executablePath}: npm run test:browser installs it`;

const args = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Promise<Browser> | null = null;

/** One program for all tests of a file: starting it takes longer than most of them. */
async function sharedBrowser(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  browser ??= chromium.launch({ executablePath, headless: true, args });
  return browser;
}

after(async () => (await browser)?.close());

/** A browser nobody has used before. Whatever its pages complain of fails the test. */
export async function openBrowser(
  t: TestContext,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext(options);
  // Only so that a test that fails ends: two cores may be shared with many.
  context.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  const watch = (page: Page): void => {
    page.on("pageerror", (error) => void complaints.push(error.message));
    page.on("dialog", (dialog) => void complaints.push(`a dialog: ${dialog.message()}`));
    page.on("console", (message) => {
      // What a daemon refuses, or cannot answer any more, is told by the browser as well.
      const isRefusal = /^(Failed to load resource|WebSocket connection to .* failed)/.test(message.text());
      if (message.type() === "error" && !isRefusal) complaints.push(message.text());
    });
  };
  context.on("page", watch);
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  return context;
}

export interface Dashboard {
  readonly place: Place;
  readonly up: Up;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a page of the dashboard. */
  open(hash: string): Promise<void>;
}

/** A daemon of its own with the user's configuration, and a browser that is logged in by a link. */
export async function openDashboard(
  t: TestContext,
  {
    config = "",
    role = "admin",
    browser = {},
  }: { config?: string; role?: string; browser?: BrowserContextOptions } = {},
): Promise<Dashboard> {
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, "config.yaml"), config);
  const up = await place.up();
  const context = await openBrowser(t, browser);
  const page = await context.newPage();
  await page.goto(await loginLink(place, role));
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const open = async (hash: string): Promise<void> => {
    await page.goto(`http://localhost:${up.port}/${hash}`);
  };
  return { place, up, context, page, open };
}

/** The same with a daemon in this process and a project of its own, whose configuration somebody has approved. */
export async function openDashboardHere(
  t: TestContext,
  { config, browser = {} }: { config?: string; browser?: BrowserContextOptions } = {},
) {
  const { daemon, token, cwd, home, write } = await startedDaemon(t, config);
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${daemon.address}${path}`, { method, headers, ...sent });
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer as T;
  };
  const logIn = async (role: string): Promise<Page> => {
    const { url } = await call<{ url: string }>("POST", "/api/v1/login-links", { role });
    const page = await (await openBrowser(t, browser)).newPage();
    await page.goto(url);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    return page;
  };
  const open = async (page: Page, hash: string): Promise<void> => {
    await page.goto(`${daemon.address.replace("127.0.0.1", "localhost")}/${hash}`);
  };
  return { daemon, cwd, home, write, call, logIn, open };
}

export async function loginLink(place: Place, role = "admin"): Promise<string> {
  const { status, stdout, stderr } = await place.swarm("login", "--role", role);
  assert.equal(status, 0, stderr);
  return stdout.trim();
}
