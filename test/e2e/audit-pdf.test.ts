import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { readBack } from "../../src/record/pdf/harness.cases.ts";
import { bin, endOf, Place } from "./harness.ts";

const example = join(import.meta.dirname, "../../examples/audit-pdf");

interface Verified {
  readonly is_intact: boolean;
  readonly faults: readonly { readonly kind: string; readonly problem: string }[];
}

async function reported(place: Place): Promise<string> {
  const call = '{"tool_name":"Bash","tool_input":{"command":"ls"}}';
  for (let index = 0; index < 3; index++)
    assert.equal((await place.swarm("emit", "tool.before", "--data", call)).status, 0);
  const { status, stdout, stderr } = await place.swarm(
    "audit",
    "pdf",
    "--from",
    "2020-01-01",
    "--output",
    "r.pdf",
  );
  assert.deepEqual([status, stderr], [0, ""]);
  const file = join(place.project, "r.pdf");
  assert.match(stdout, new RegExp(`^wrote ${file}: \\d+ pages, \\d+ rows, `));
  return file;
}

suite("swarm audit pdf", () => {
  test("the worked example ends with a PDF that tells of all of it and verifies", async (t) => {
    const place = new Place(t);
    const path = join(place.folder, "bin");
    mkdirSync(path);
    symlinkSync(bin, join(path, "swarm"));
    const home = join(place.folder, "example");
    const node = join(process.execPath, "..");
    const env = { PATH: `${path}:${node}:${process.env.PATH}` };
    const { status, stdout, stderr } = await endOf(place.start("sh", [join(example, "run.sh"), home], env));
    assert.equal(status, 0, stderr);
    assert.match(stdout, /\nwould write .*audit-2026-01-01--now\.pdf\n/);
    assert.match(stdout, /\nintact: 2026-01-01T00:00:00.000Z up to /);
    const { text } = await readBack(join(home, "report.pdf"));
    for (const part of [
      "policy:no-force-push",
      "git push --force",
      "history that others have is not rewritten",
      "“checked against the release plan”",
      "human:",
    ])
      assert.ok(text.includes(part), part);
  });

  test("a dry run writes nothing, and what is wrong is said by its option", async (t) => {
    const place = new Place(t);
    const found = await place.json<{ file: string; rows: number }>(
      "audit",
      "pdf",
      "--from",
      "2026-01-01",
      "--dry-run",
    );
    assert.deepEqual([found.rows, existsSync(found.file)], [0, false]);
    assert.deepEqual(readdirSync(place.project), ["swarm.yaml"]);
    for (const [args, message] of [
      [["--from", "2026-02-30"], /from is "2026-02-30", expected a day/],
      [["--from", "2026-02-02", "--to", "2026-02-01"], /to is "2026-02-01", expected not to be before from/],
      [[], /expected one of --from, --days, --run and --promotion/],
      [["--days", "x"], /--days is "x", expected a whole number/],
      [["--run", "cr_none"], /no rows of run "cr_none"/],
      [["--from", "2026-01-01", "--rows", "some"], /rows is "some", expected notable or all/],
    ] as const) {
      const { status, stderr } = await place.swarm("audit", "pdf", ...args);
      assert.ok(status === 64 || status === 65, String(status));
      assert.match(stderr, message);
    }
  });

  test("verify needs no daemon, and finds a changed byte, a swapped manifest and a missing one", async (t) => {
    const place = new Place(t);
    const file = await reported(place);
    const verify = async (...args: string[]): Promise<Verified & { status: number | null }> => {
      const { status, stdout } = await place.swarm("audit", "verify", "r.pdf", "--json", ...args);
      return { status, ...(JSON.parse(stdout) as Verified) };
    };
    assert.deepEqual([(await verify()).status, (await verify()).faults], [0, []]);
    const bytes = readFileSync(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const changed = await verify();
    assert.deepEqual([changed.status, changed.faults.map(({ kind }) => kind)], [1, ["pdf"]]);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await place.swarm("audit", "pdf", "--from", "2026-01-01", "--output", "other.pdf");
    const manifest = readFileSync(`${file}.manifest.json`);
    copyFileSync(join(place.project, "other.pdf.manifest.json"), `${file}.manifest.json`);
    assert.deepEqual(
      (await verify()).faults.map(({ kind }) => kind),
      ["pdf"],
    );
    writeFileSync(`${file}.manifest.json`, manifest);
    assert.equal((await place.swarm("audit", "export", "--output", "audit.jsonl")).status, 0);
    const key = join(place.home, "audit-key.pub");
    assert.equal((await verify("--file", "audit.jsonl", "--key", key)).status, 0);
    const { status, stderr } = await place.swarm("audit", "verify", "swarm.yaml");
    assert.deepEqual([status, /SWARM_MANIFEST_UNREADABLE/.test(stderr)], [65, true]);
  });

  test("a job makes one by the daemon, and a bad configuration is refused when the job is made", async (t) => {
    const place = new Place(t);
    const create = (config: object) =>
      place.swarm(
        "cron",
        "create",
        "--name",
        "monthly",
        "--schedule",
        "0 3 1 * *",
        "--task",
        "audit_pdf",
        "--config",
        JSON.stringify(config),
      );
    for (const [config, message] of [
      [{ kind: "year" }, /kind is "year", expected run or promotion or rollup/],
      [{ from: "January" }, /config of task audit_pdf: from is "January", expected a day/],
      [{ output: "reports" }, /output is "reports", expected an absolute path of a folder/],
      [{ day: 3 }, /unknown option "day".*"days"/],
    ] as const) {
      const { status, stderr } = await create(config);
      assert.ok(status === 64 || status === 65, stderr);
      assert.match(stderr, message);
    }
    const { pid } = await place.up();
    assert.ok(pid > 0);
    const output = join(place.home, "reports");
    assert.equal((await create({ from: "2020-01-01" })).status, 0);
    const { status, stderr } = await place.swarm("cron", "run", "monthly", "--wait");
    assert.deepEqual([status, stderr], [0, ""]);
    const files = readdirSync(output).sort();
    assert.equal(files.length, 2);
    assert.match(files[0] ?? "", /^audit-2020-01-01--\d{4}-\d\d-\d\d-cr_\w+\.pdf$/);
    const verified = await place.swarm("audit", "verify", join(output, files[0] ?? ""));
    assert.deepEqual([verified.status, verified.stdout.startsWith("intact: ")], [0, true]);
    const made = await place.json<{ file: string }>(
      "audit",
      "pdf",
      "--from",
      "2020-01-01",
      "--output",
      "by-daemon.pdf",
    );
    assert.ok(existsSync(made.file) && existsSync(`${made.file}.manifest.json`));
    const kept = await place.json<{ items: readonly { file: string }[]; unusable: number }>("audit", "pdfs");
    assert.deepEqual(
      [kept.items.map(({ file }) => file), kept.unusable],
      [[join(output, files[0] ?? "")], 0],
    );
  });
});
