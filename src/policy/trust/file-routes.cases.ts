import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { keptFilePath } from "./kept-file.ts";
import { openApp } from "../../daemon/server/harness.cases.ts";

interface Shown {
  readonly state: string;
  readonly sha256: string;
  readonly approved: { readonly sha256: string; readonly actor: string } | null;
  readonly code: string;
}
interface List {
  readonly items: readonly { readonly path: string; readonly sha256: string }[];
}

/** The operations on files that run code when they are loaded, as part of the tests of all operations. */
export function fileTrustRouteCases(): void {
  suite("trusted files", () => {
    async function open(t: TestContext) {
      const { call, cwd, home, write, runtime } = await openApp(t);
      write({ "model.joblib": "bytes" });
      const path = join(cwd, "model.joblib");
      const show = async () => (await call<Shown>("GET", `/api/v1/trust/file?path=${path}`)).body;
      const approve = async (sha256: string) =>
        (await call<Shown>("POST", "/api/v1/trust/files/approve", { path, sha256 })).body;
      const revoke = (file: string) =>
        call<List & { code: string }>("POST", "/api/v1/trust/files/revoke", { file });
      const list = async () => (await call<List>("GET", "/api/v1/trust/files")).body.items;
      return { call, home, path, write, files: runtime.trust.files, show, approve, revoke, list };
    }

    test("are approved by the digest they were shown with, kept as they were, listed and revoked, each in the record", async (t) => {
      const { call, home, path, write, files, show, approve, revoke, list } = await open(t);
      const { state, sha256, approved } = await show();
      assert.deepEqual([state, approved], ["untrusted", null]);
      await assert.rejects(files.copyOf(path), { code: "SWARM_FILE_UNTRUSTED" });
      assert.equal((await approve(sha256)).state, "trusted");
      const kept = keptFilePath(home, sha256);
      assert.deepEqual(await files.copyOf(path), { sha256, copy: kept });
      assert.deepEqual([readFileSync(kept, "utf8"), statSync(kept).mode & 0o777], ["bytes", 0o400]);
      assert.deepEqual(
        (await list()).map((row) => [row.path, row.sha256]),
        [[path, sha256]],
      );
      write({ "model.joblib": "other bytes" });
      const changed = await show();
      assert.deepEqual([changed.state, changed.approved?.sha256], ["changed", sha256]);
      await assert.rejects(files.copyOf(path), {
        code: "SWARM_FILE_UNTRUSTED",
        message: /is not what was approved/,
      });
      assert.equal((await revoke(path)).body.items[0]?.sha256, sha256);
      assert.deepEqual([await list(), existsSync(kept)], [[], false]);
      assert.equal((await revoke(path)).body.code, "SWARM_FILE_NOT_APPROVED");
      const { body } = await call<{ items: object[] }>("GET", "/api/v1/events?kind=change&limit=2");
      assert.deepEqual(
        (body.items as Record<string, unknown>[]).map((row) => [
          row.event,
          row.actor,
          row.reason,
          row.hook_digest,
        ]),
        ["revoked", "approved"].map((done) => [`trust.file_${done}`, "human:ann", path, sha256]),
      );
    });

    test("that are not what was shown are not approved, and nothing is kept of them", async (t) => {
      const { home, write, show, approve, list } = await open(t);
      const { sha256 } = await show();
      write({ "model.joblib": "swapped" });
      assert.equal((await approve(sha256)).code, "SWARM_TRUST_STALE");
      assert.deepEqual(await list(), []);
      assert.equal(existsSync(keptFilePath(home, (await show()).sha256)), false);
    });

    test("are loaded from a copy that is what was approved, made anew when it was tampered with", async (t) => {
      const { home, path, files, show, approve } = await open(t);
      const { sha256 } = await show();
      await approve(sha256);
      const kept = keptFilePath(home, sha256);
      chmodSync(kept, 0o600);
      writeFileSync(kept, "evil");
      const { copy } = await files.copyOf(path);
      assert.equal(readFileSync(copy, "utf8"), "bytes");
    });

    test("are files: a folder, a path that is not there and a relative one are refused", async (t) => {
      const { call, home } = await open(t);
      for (const [path, code] of [
        [home, "SWARM_FILE_UNREADABLE"],
        [join(home, "gone"), "SWARM_FILE_UNREADABLE"],
        ["model.joblib", "SWARM_OPTION_INVALID"],
      ])
        assert.equal((await call<Shown>("GET", `/api/v1/trust/file?path=${path}`)).body.code, code);
    });
  });
}
