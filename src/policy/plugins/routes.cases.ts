import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { manifest, write } from "./harness.cases.ts";
import { documented, openApp } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";

interface Plugin {
  readonly name: string;
  readonly enabled: boolean;
  readonly digest: string;
  readonly hooks: number | null;
  readonly added_by: string;
}
interface Run {
  readonly plugin: string;
  readonly denied_why: string | null;
}
type List<T> = { readonly items: readonly T[]; readonly next_cursor?: string | null };

/** The operations on plugins, as part of the tests of all operations. */
export function pluginRouteCases(): void {
  suite("plugins", () => {
    const files = {
      "swarm-plugin.json": manifest({
        hooks: [{ event: "notification", type: "script", command: "git status", name: "look" }],
      }),
    };

    test("are planned, added, switched, listed and removed", async (t) => {
      const { call, cwd } = await openApp(t);
      const path = write(join(cwd, "..", "plugin"), files);
      const { body: plan } = await call<{ digest: string }>("GET", `/api/v1/plugin-plan?path=${path}`);
      const { digest } = plan;
      const added = await call<Plugin>("POST", "/api/v1/plugins", { path, digest });
      assert.deepEqual(
        [added.status, added.body.name, added.body.digest, added.body.hooks, added.body.added_by],
        [200, "acme", digest, 1, "human:ann"],
      );
      const off = await call<Plugin>("PATCH", "/api/v1/plugins/acme", { enabled: false });
      assert.deepEqual([off.body.enabled, off.body.hooks], [false, null]);
      assert.deepEqual((await call<List<Plugin>>("GET", "/api/v1/plugins")).body.items, [off.body]);
      assert.equal((await call("DELETE", "/api/v1/plugins/acme")).status, 200);
      assert.deepEqual((await call<List<Plugin>>("GET", "/api/v1/plugins")).body.items, []);
    });

    test("have their hooks listed as a plugin's, and their programs page by page", async (t) => {
      const { call, cwd } = await openApp(t);
      const path = write(join(cwd, "..", "plugin"), files);
      const { body: plan } = await call<{ digest: string }>("GET", `/api/v1/plugin-plan?path=${path}`);
      await call("POST", "/api/v1/plugins", { path, digest: plan.digest });
      const { body } = await call<List<{ name: string; plugin: string; trust: string }>>(
        "GET",
        "/api/v1/hooks",
      );
      assert.deepEqual(
        body.items.map(({ name, plugin, trust }) => [name, plugin, trust]),
        [["acme/look", "acme", "own"]],
      );
      const note = { event: "notification", data: { message: "hi", level: "info" } };
      const runs = async (query: string) =>
        (await call<List<Run>>("GET", `/api/v1/plugin-runs${query}`)).body;
      for (let sent = 1; sent <= 2; sent++) {
        await call("POST", "/api/v1/events", note);
        // It observes, so it comes after the answer.
        while ((await runs("")).items.length < sent) await new Promise((resolve) => setImmediate(resolve));
      }
      const first = await runs("?limit=1&plugin=acme");
      assert.match(first.items[0]?.denied_why ?? "", /programs of plugins are off/);
      const second = await runs(`?limit=1&cursor=${first.next_cursor}`);
      assert.deepEqual([second.items.length, second.next_cursor], [1, null]);
      assert.deepEqual((await runs("?plugin=other")).items, []);
    });

    test("are an admin's to plan, add, switch and remove; whoever may look sees those there are", () => {
      const roles = Object.entries(documented.paths)
        .filter(([path]) => path.startsWith("/api/v1/plugin"))
        .flatMap(([path, operations]) =>
          Object.entries(operations).map(([method, operation]) => {
            const { "x-role": role } = operation as unknown as { readonly "x-role": string };
            return `${method} ${path}: ${role}`;
          }),
        );
      assert.deepEqual(roles.sort(), [
        "delete /api/v1/plugins/{name}: admin",
        "get /api/v1/plugin-plan: admin",
        "get /api/v1/plugin-runs: viewer",
        "get /api/v1/plugins: viewer",
        "patch /api/v1/plugins/{name}: admin",
        "post /api/v1/plugins: admin",
      ]);
    });

    test("are refused where something is wrong with them or with the call", async (t) => {
      const { call, cwd } = await openApp(t);
      const path = write(join(cwd, "..", "plugin"), files);
      const link = join(cwd, "link");
      symlinkSync(join(cwd, "gone"), link);
      writeFileSync(join(cwd, "file"), "x");
      const digest = "0".repeat(64);
      for (const [method, address, body, status, code] of [
        ["GET", "/api/v1/plugin-plan", undefined, 400, "SWARM_OPTION_INVALID"],
        ["GET", "/api/v1/plugin-plan?path=relative", undefined, 400, "SWARM_OPTION_INVALID"],
        ["GET", `/api/v1/plugin-plan?path=${cwd}`, undefined, 400, "SWARM_PLUGIN_INVALID"],
        ["GET", `/api/v1/plugin-plan?path=${link}`, undefined, 400, "SWARM_PLUGIN_INVALID"],
        ["GET", `/api/v1/plugin-plan?path=${cwd}/file`, undefined, 400, "SWARM_PLUGIN_INVALID"],
        ["POST", "/api/v1/plugins", { path: "x", digest }, 400, "SWARM_OPTION_INVALID"],
        ["POST", "/api/v1/plugins", { path }, 400, "SWARM_OPTION_INVALID"],
        ["POST", "/api/v1/plugins", { path, digest }, 409, "SWARM_PLUGIN_CHANGED"],
        ["PATCH", "/api/v1/plugins/acme", { enabled: true }, 404, "SWARM_PLUGIN_UNKNOWN"],
        ["DELETE", "/api/v1/plugins/acme", undefined, 404, "SWARM_PLUGIN_UNKNOWN"],
        ["DELETE", "/api/v1/plugins/a%2Fb", undefined, 400, "SWARM_OPTION_INVALID"],
        ["GET", "/api/v1/plugin-runs?limit=0", undefined, 400, "SWARM_OPTION_INVALID"],
      ] as const) {
        const answer = await call<Problem>(method, address, body);
        assert.deepEqual([answer.status, answer.body.code], [status, code], `${method} ${address}`);
      }
      assert.deepEqual((await call<List<Plugin>>("GET", "/api/v1/plugins")).body.items, []);
    });
  });
}
