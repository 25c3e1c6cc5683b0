import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { noTerminal } from "../e2e/harness.ts";
import { typed } from "../e2e/type-passphrase.ts";
import { type Dashboard, loginLink, openBrowser, openDashboard, withoutBrowser } from "./harness.ts";

const skip = withoutBrowser || noTerminal;
const passphrase = "correct horse battery";
const config = `approvals: { require: person }
policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
`;
const approveButton = "Approve once with a passkey";

/** Chromium's own authenticator in software, with a person who verifies and is present. */
async function addAuthenticator({ context, page }: Pick<Dashboard, "context" | "page">) {
  const session: CDPSession = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const verify = (isUserVerified: boolean) =>
    session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  const credentials = async () =>
    (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return { verify, credentials };
}

async function ask({ place, up }: Dashboard, command: string): Promise<{ id: string; verdict: string }> {
  const data = { tool_name: "Bash", tool_input: { command } };
  const { body } = await place.call(up.port, "POST", "/api/v1/events", { event: "tool.before", data });
  const { approval, decision } = body as { approval: { id: string }; decision: { verdict: string } };
  return { id: approval.id, verdict: decision.verdict };
}

const cardOf = (page: Page, command: string) => page.getByRole("article").filter({ hasText: command });

/** Registers a passkey on the page and gives the command that confirms it. */
async function register(page: Page, name: string): Promise<string[]> {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const command = await page.getByText(/^swarm approvals key confirm chg_/).innerText();
  return command.split(" ").slice(1);
}

export function passkeyCases(): void {
  suite("passkeys on the dashboard", () => {
    test("approve once a key of the terminal has confirmed them, and never without the person", {
      skip,
    }, async (t) => {
      const dashboard = await openDashboard(t, { config });
      const { place, page, up, open } = dashboard;
      const { verify, credentials } = await addAuthenticator(dashboard);
      await open("#/approvals");
      await page.getByText("The first key is made on a terminal:").waitFor();
      assert.equal(await page.getByRole("button", { name: "Add a passkey" }).count(), 0);
      await typed(place, ["approvals", "key", "add", "--name", "ada"], passphrase, passphrase);
      const { id } = await ask(dashboard, "git push one");
      const card = cardOf(page, "git push one");
      await card.getByText(`swarm approvals approve ${id}`).waitFor();
      assert.deepEqual(await card.getByRole("button").allInnerTexts(), ["Deny"]);

      const confirm = await register(page, "phone");
      assert.equal((await credentials()).length, 1);
      assert.equal(await card.getByRole("button", { name: approveButton }).count(), 0, "not confirmed yet");
      const confirmed = await typed(place, confirm, passphrase);
      assert.match(confirmed.printed, /add the passkey key phone \(key_[0-9a-f]{32}\)/);

      await card.getByRole("textbox", { name: "Comment" }).fill("release day");
      await verify(false);
      await card.getByRole("button", { name: approveButton }).click();
      await card.getByText("the passkey was not used").waitFor();
      assert.equal((await ask(dashboard, "git push one")).verdict, "deny");
      await verify(true);
      const sent = page.waitForRequest("**/decision");
      await card.getByRole("button", { name: approveButton }).click();
      await card.getByText(/signed with\s+key_/).waitFor();
      assert.equal((await ask(dashboard, "git push one")).verdict, "allow");

      // The same assertion for another question, and for the same one asked again.
      const body = (await sent).postDataJSON() as object;
      for (const command of ["git push two", "git push one"]) {
        const next = await ask(dashboard, command);
        const path = `/api/v1/approvals/${next.id}/decision`;
        const { status } = await place.call(up.port, "POST", path, body);
        assert.equal(status, 403, command);
      }
      await cardOf(page, "git push two").getByRole("button", { name: approveButton }).click();
      await cardOf(page, "git push two")
        .getByText(/signed with\s+key_/)
        .waitFor();
      const [credential] = await credentials();
      assert.ok((credential?.signCount ?? 0) > 1, "the counter counts");
      assert.equal((await ask(dashboard, "git push two")).verdict, "allow");
      assert.equal((await place.swarm("audit", "verify")).status, 0);
    });

    test("confirm another one, and are removed", { skip }, async (t) => {
      const dashboard = await openDashboard(t, { config });
      const { place, page, open } = dashboard;
      await addAuthenticator(dashboard);
      await typed(place, ["approvals", "key", "add", "--name", "ada"], passphrase, passphrase);
      await open("#/approvals");
      await typed(place, await register(page, "phone"), passphrase);
      await page.getByRole("button", { name: "Remove the key phone" }).waitFor();
      await page.getByRole("button", { name: "Remove the key ada" }).click();
      await page.getByRole("button", { name: /^Confirm with a passkey Removing ada/ }).click();
      await page.getByRole("button", { name: "Remove the key ada" }).waitFor({ state: "detached" });
      const { keys } = await place.json<{ keys: { name: string }[] }>("approvals", "key", "list");
      assert.deepEqual(
        keys.map(({ name }) => name),
        ["phone"],
      );
    });

    test("are not offered at an address, only under the name they are made for", { skip }, async (t) => {
      const dashboard = await openDashboard(t, { config });
      const { place, up } = dashboard;
      await typed(place, ["approvals", "key", "add", "--name", "ada"], passphrase, passphrase);
      const { id } = await ask(dashboard, "git push");
      const link = await loginLink(place);
      assert.ok(link.startsWith(`http://localhost:${up.port}/#login=`), link);
      const page = await (await openBrowser(t)).newPage();
      await page.goto(link.replace("localhost", "127.0.0.1"));
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto(`http://127.0.0.1:${up.port}/#/approvals`);
      await page.getByText(`Passkeys are made at http://localhost:${up.port}`).waitFor();
      await cardOf(page, "git push").getByText(`swarm approvals approve ${id}`).waitFor();
    });
  });
}
