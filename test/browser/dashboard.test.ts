import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { loginLink, openBrowser, openDashboard, withoutBrowser } from "./harness.ts";
import { passkeyCases } from "./passkeys.cases.ts";
import { scheduledWorkCases } from "./scheduled-work.cases.ts";

const skip = withoutBrowser;

const askAboutPushes = `policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
`;
const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;

suite("the dashboard in a browser", () => {
  test("a login link lets one browser in, once, by a cookie no script can read", { skip }, async (t) => {
    const { place, up, context, page } = await openDashboard(t);
    assert.equal(page.url(), `http://localhost:${up.port}/`);
    const [cookie] = await context.cookies();
    assert.deepEqual(
      [cookie?.name, cookie?.httpOnly, cookie?.sameSite],
      [`swarm_session_${up.port}`, true, "Strict"],
    );
    assert.equal(await page.evaluate("document.cookie"), "");
    await page.reload();
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    const link = await loginLink(place);
    await page.goto(link);
    await page.waitForURL(`http://localhost:${up.port}/`);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const other = await openBrowser(t);
    const second = await other.newPage();
    await second.goto(link);
    await second.getByText("this login link is used up, too old or none of ours").waitFor();
    await second.getByText("swarm login", { exact: true }).waitFor();
    assert.deepEqual(await other.cookies(), []);
  });

  test("logging out ends the session, in this browser and at the daemon", { skip }, async (t) => {
    const { page, place } = await openDashboard(t, { role: "viewer" });
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByText("Nobody is logged in here").waitFor();
    await page.reload();
    await page.getByText("Nobody is logged in here").waitFor();
    const rows = await place.json<{ items: { event: string }[] }>("audit", "log");
    assert.equal(rows.items[0]?.event, "logout");
  });

  test("what happens is shown as it happens, and what it says is only ever text", { skip }, async (t) => {
    const { place, up, page, open } = await openDashboard(t);
    await open("#/live");
    await page.getByText("live", { exact: true }).waitFor();
    const data = { message: "hi", level: "info" };
    await place.call(up.port, "POST", "/api/v1/events", {
      event: "notification",
      data: { ...data, message: hostile },
      session: hostile,
      agent: `\u202e${hostile}`,
    });
    const row = page.getByRole("row").filter({ hasText: "notification" });
    await row.waitFor();
    assert.ok((await row.innerText()).includes(hostile));
    assert.ok((await row.innerText()).includes("\\u{202e}"));
    await row.getByRole("link").click();
    await page.getByRole("heading", { name: "notification" }).waitFor();
    assert.ok((await page.locator("pre").innerText()).includes("<script>alert(2)"));
    assert.equal(await page.locator("main img, main script").count(), 0);
  });

  test("a page that is paused holds what comes, and a filter leaves out the rest", { skip }, async (t) => {
    const { place, up, page, open } = await openDashboard(t);
    await open("#/live?event=notification&session=wanted");
    await page.getByText("Nothing has happened yet that fits.").waitFor();
    const tell = (session: string) =>
      place.call(up.port, "POST", "/api/v1/events", {
        event: "notification",
        data: { message: "hi", level: "info" },
        session,
      });
    await page.getByRole("button", { name: "Pause" }).click();
    await tell("other");
    await tell("wanted");
    await page.getByRole("button", { name: "Go on (1 new)" }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 0);
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("row").filter({ hasText: "wanted" }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
  });

  test("rows the daemon left out are told of, and where they are", { skip }, async (t) => {
    const { page, open } = await openDashboard(t);
    await page.routeWebSocket(/\/api\/v1\/stream/, (socket) => {
      socket.send(JSON.stringify({ gap: { after: 41, before: 1_213 } }));
    });
    await open("#/live");
    await page.reload();
    await page.getByText("Rows 42 to 1212 are not shown").waitFor();
    const href = await page.getByRole("link", { name: "See them in the record" }).getAttribute("href");
    assert.equal(href, "#/record?cursor=1213");
  });

  test("an approval is decided here, and whoever waits for it goes on", { skip }, async (t) => {
    const { place, up, page, open } = await openDashboard(t, { config: askAboutPushes });
    await open("#/approvals");
    await page.getByText("Nobody is waiting for you.").waitFor();
    const command = `git push\n# ${hostile}\u200b`;
    const asked = place.call(up.port, "POST", "/api/v1/events", {
      event: "tool.before",
      data: { tool_name: "Bash", tool_input: { command } },
      wait_s: 60,
    });
    const card = page.getByRole("article");
    await card.waitFor();
    assert.equal(await card.locator("pre").first().innerText(), `git push\n# ${hostile}\\u{200b}`);
    await card.getByText(/^\d+:\d\d left$|^\d+:\d\d:\d\d left$/).waitFor();
    await page.getByRole("link", { name: "Approvals 1" }).waitFor();
    await card.getByRole("textbox", { name: "Comment" }).fill("go ahead");
    await card.getByRole("button", { name: "Approve once" }).click();
    const { decision } = (await asked).body as { decision: { verdict: string; reason: string } };
    assert.equal(decision.verdict, "allow");
    assert.match(decision.reason, /^approved by human:.*: go ahead/);
    await card.getByText("go ahead").waitFor();
    assert.equal(await card.getByRole("button").count(), 0);
    const colour = (of: string): Promise<string> => page.evaluate(`getComputedStyle(${of}).color`);
    assert.equal(await colour('document.querySelector("article")'), await colour("document.body"), "not red");
  });

  test("of two who decide at once one is told that the other was faster", { skip }, async (t) => {
    const { place, up, page, open } = await openDashboard(t, { config: askAboutPushes });
    await open("#/approvals");
    const asked = place.call(up.port, "POST", "/api/v1/events", {
      event: "tool.before",
      data: { tool_name: "Bash", tool_input: { command: "git push" } },
      wait_s: 60,
    });
    await page.route("**/decision", async (route) => {
      const path = new URL(route.request().url()).pathname;
      await place.call(up.port, "POST", path, { decision: "denied", comment: "not today" });
      await route.continue();
    });
    await page.getByRole("button", { name: "Approve once" }).click();
    const card = page.getByRole("article");
    await card.getByText("Somebody else was faster").waitFor();
    await card.getByText("not today").waitFor();
    const { decision } = (await asked).body as { decision: { verdict: string } };
    assert.equal(decision.verdict, "deny");
  });

  test("no card moves when another is decided, lapses or is asked", { skip }, async (t) => {
    const { place, up, page, open } = await openDashboard(t, { config: askAboutPushes });
    const ask = async (command: string) => {
      const data = { tool_name: "Bash", tool_input: { command } };
      const { body } = await place.call(up.port, "POST", "/api/v1/events", { event: "tool.before", data });
      return (body as { approval: { id: string } }).approval.id;
    };
    const [first] = [await ask("git push one"), await ask("git push two")];
    await open("#/approvals");
    const second = page.getByRole("article").filter({ hasText: "git push two" });
    const approve = second.getByRole("button", { name: "Approve once" });
    await approve.waitFor();
    const before = await approve.boundingBox();
    await place.call(up.port, "POST", `/api/v1/approvals/${first}/decision`, { decision: "denied" });
    await page.getByRole("article").filter({ hasText: "git push one" }).getByText("denied").waitFor();
    await ask("git push three");
    await page.getByRole("article").filter({ hasText: "git push three" }).waitFor();
    assert.deepEqual(await approve.boundingBox(), before);
  });

  test("what was decided is told below, with what it was about, however many were asked since", {
    skip,
  }, async (t) => {
    const { place, up, page, open } = await openDashboard(t, { config: askAboutPushes });
    const ask = async (command: string) => {
      const data = { tool_name: "Bash", tool_input: { command } };
      const { body } = await place.call(up.port, "POST", "/api/v1/events", { event: "tool.before", data });
      return (body as { approval: { id: string } }).approval.id;
    };
    const first = await ask("git push first");
    await place.call(up.port, "POST", `/api/v1/approvals/${first}/decision`, { decision: "denied" });
    for (let i = 0; i < 40; i++) await ask(`git push ${i}`);
    await open("#/approvals");
    await page.getByRole("row").filter({ hasText: "git push first" }).getByText("denied").waitFor();
    assert.equal(await page.getByRole("article").count(), 40);
  });

  test("a viewer sees everything and has no button to change it, and is refused without one", {
    skip,
  }, async (t) => {
    const { place, up, page, open } = await openDashboard(t, { config: askAboutPushes, role: "viewer" });
    const asked = await place.call(up.port, "POST", "/api/v1/events", {
      event: "tool.before",
      data: { tool_name: "Bash", tool_input: { command: "git push" } },
    });
    const { id } = (asked.body as { approval: { id: string } }).approval;
    await open("#/approvals");
    const card = page.getByRole("article");
    await card.getByText("An operator can decide this.").waitFor();
    assert.equal(await card.getByRole("button").count(), 0);
    const status = await page.evaluate(`fetch("/api/v1/approvals/${id}/decision", {
      method: "POST",
      headers: { "x-swarm-key": JSON.parse(localStorage["swarm.session"]).key, "content-type": "application/json" },
      body: '{"decision":"approved"}',
    }).then(({ status }) => status)`);
    assert.equal(status, 403);
  });

  test("a hook is switched off, and the record of it is checked", { skip }, async (t) => {
    const config = `hooks:
  - { event: tool.before, type: command, name: "${hostile.replaceAll('"', '\\"')}", command: "true" }
`;
    const { page, open } = await openDashboard(t, { config });
    await open("#/hooks");
    const row = page.getByRole("row").filter({ hasText: hostile });
    await row.getByRole("button", { name: "Disable" }).click();
    await row.getByRole("button", { name: "Enable" }).waitFor();
    await open("#/record");
    await page.getByRole("row").filter({ hasText: "hook.disabled" }).waitFor();
    const events = page.getByRole("combobox", { name: "Event" });
    await events.locator("option[value='hook.disabled']").waitFor({ state: "attached" });
    assert.equal(await events.inputValue(), "");
    await events.focus();
    await events.selectOption("hook.disabled");
    await page.waitForURL(/event=hook\.disabled/);
    assert.equal(await page.evaluate("document.activeElement.name"), "event");
    await page.getByRole("row").filter({ hasText: "hook.disabled" }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
    await page.getByRole("button", { name: "Check the record" }).click();
    await page.getByText("Intact.").waitFor();
  });

  test("a delivery that was given up is sent again", { skip }, async (t) => {
    let status = 410;
    const receiver = createServer((_, response) => void response.writeHead(status).end()).listen(
      0,
      "127.0.0.1",
    );
    t.after(() => receiver.close());
    await new Promise((resolve) => receiver.once("listening", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const config = `hooks:
  - { event: notification, type: webhook, name: tell, url: "${url}", unsigned: true, allow_private: ["127.0.0.1"] }
`;
    const { place, up, page, open } = await openDashboard(t, { config });
    await open("#/webhooks");
    await page.getByText("Nothing was sent yet.").waitFor();
    const data = { message: hostile, level: "info" };
    await place.call(up.port, "POST", "/api/v1/events", { event: "notification", data });
    const row = page.getByRole("row").filter({ hasText: "tell" });
    await row.getByText("dead", { exact: true }).waitFor();
    await row.getByText("Show").click();
    await row
      .locator("pre")
      .filter({ hasText: hostile.slice(0, 9) })
      .waitFor();
    status = 200;
    await row.getByRole("button", { name: "again" }).click();
    await row.getByText("delivered", { exact: true }).waitFor();
  });

  test("a daemon that went away is waited for, and a new one asks for a new login", { skip }, async (t) => {
    const { place, up, page, open } = await openDashboard(t);
    await open("#/live");
    await page.getByText("live", { exact: true }).waitFor();
    up.child.kill("SIGTERM");
    await up.ended;
    await page.getByText("lost", { exact: true }).waitFor();
    await place.up("--port", String(up.port));
    await page.getByText("The session is over").waitFor();
  });

  test("a batch run shows how far it has come, is cancelled and taken up again here", { skip }, async (t) => {
    const { place, page, open } = await openDashboard(t);
    await open("#/batch");
    await page.getByText("Nothing was run yet.").waitFor();
    place.write("records.jsonl", '{"record_id":"r"}\n'.repeat(2_000));
    // So slow that it is seen running for as long as this test has looked at it, and no longer.
    const slowly = `while read -r line; do [ -e "${place.project}/seen" ] || sleep 0.05; echo {}; done`;
    const config = JSON.stringify({ command: ["sh", "-c", slowly] });
    const args = ["--processor", "command", "--config", config, "--chunk-records", "5"];
    const submit = ["batch", "submit", "--input", "records.jsonl", "--run-id", "nightly", ...args];
    const { status, stderr } = await place.swarm(...submit, "--name", hostile, "--detach");
    assert.equal(status, 0, stderr);
    const row = page.getByRole("row").filter({ hasText: "nightly" });
    await row.getByRole("button", { name: "Cancel nightly" }).click();
    await row.getByText("cancelled", { exact: true }).waitFor();
    assert.ok((await row.innerText()).includes(hostile));
    await row.getByRole("button", { name: "Resume nightly" }).click();
    await row.getByText("running", { exact: true }).waitFor();
    await row.getByRole("progressbar", { name: "Progress of nightly" }).waitFor();
    place.write("seen", "");
    // Under a pointer that rests on a button nothing changes.
    await page.mouse.move(0, 0);
    await row.getByText("completed", { exact: true }).waitFor();
    await row.getByText("2,000", { exact: true }).waitFor();
    assert.equal(await row.getByRole("button").count(), 0);
  });

  test("everything can be reached by keyboard, and fits a phone", { skip }, async (t) => {
    const { page, open } = await openDashboard(t, {
      config: askAboutPushes,
      browser: { viewport: { width: 320, height: 640 } },
    });
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to the page");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "main");
    const links = await page.getByRole("navigation").getByRole("link").all();
    const hashes = await Promise.all(links.map((link) => link.getAttribute("href")));
    assert.equal(hashes.length, 12);
    for (const hash of hashes) {
      const name = hash ?? "";
      await open(name);
      await page.locator("main h1").waitFor();
      const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      assert.equal(wide, false, name);
      const nameless = await page.evaluate(
        "[...document.querySelectorAll('input, select, textarea')].filter((one) => one.labels.length === 0).length",
      );
      assert.equal(nameless, 0, name);
    }
  });
});

scheduledWorkCases();
passkeyCases();
