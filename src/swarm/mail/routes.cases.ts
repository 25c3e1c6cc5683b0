import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openApp } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";

interface Sent {
  readonly message_id: string;
  readonly sender: string;
}
interface Found {
  readonly items: readonly { readonly body: string; readonly read_at: string | null }[];
}

/** Part of the tests of routes: each has to be called there. */
export function mailRouteCases(): void {
  suite("messages over REST", () => {
    test("whose token it is says who sends and who reads", async (t) => {
      const { call } = await openApp(t);
      const register = async (agent_id: string) =>
        (await call<{ token: string }>("POST", "/api/v1/agents", { agent_id })).body.token;
      const [a, b] = [await register("a"), await register("b")];
      const as = <R>(token: string, method: string, path: string, body?: object) =>
        call<R>(method, path, body, { authorization: `Bearer ${token}` });
      const sent = await as<Sent>(a, "POST", "/api/v1/mail", { to: "agent:b", body: "hello" });
      assert.deepEqual([sent.status, sent.body.sender], [200, "agent:a"]);
      const path = `/api/v1/mail/${sent.body.message_id}`;
      const forged = await as<Problem>(a, "POST", "/api/v1/mail", {
        to: "agent:b",
        body: "x",
        sender: "human:ann",
      });
      assert.equal(forged.status, 400);
      assert.equal((await as<Problem>(a, "GET", "/api/v1/mail?agent=b")).body.code, "SWARM_ROLE_REFUSED");
      assert.equal((await as<Problem>(a, "GET", path)).body.code, "SWARM_MAIL_UNKNOWN");
      assert.equal((await as<Problem>(a, "POST", `${path}/ack`)).body.code, "SWARM_MAIL_UNKNOWN");
      assert.deepEqual((await as<Found>(a, "POST", "/api/v1/read-mail", {})).body.items, []);
      assert.equal((await call<Problem>("POST", "/api/v1/read-mail", {})).body.code, "SWARM_MAIL_NO_INBOX");
      const listed = await call<Found>("GET", "/api/v1/mail?unread=true&agent=b");
      assert.deepEqual([listed.body.items.length, listed.body.items[0]?.read_at], [1, null]);
      const read = await as<Found>(b, "POST", "/api/v1/read-mail", {});
      assert.deepEqual(
        read.body.items.map(({ body }) => body),
        ["hello"],
      );
      assert.equal((await as(b, "POST", `${path}/ack`)).status, 200);
      assert.partialDeepStrictEqual((await call<object>("GET", path)).body, { recipient: "b" });
    });
  });
}
