import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { bin, endOf, gone, Place, trustedPlace, until } from "./harness.ts";

interface Job {
  readonly job_id: string;
  readonly name: string;
  readonly status: string;
}

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly trigger: string;
  readonly attempt: number;
  readonly reason: string | null;
  readonly output_path: string;
}

async function runs(place: Place, job: string): Promise<readonly Run[]> {
  const { items } = await place.json<{ items: Run[] }>("cron", "runs", job);
  return items.toReversed();
}

/** Asks until the runs of a job are as they should be; a run takes as long as it takes. */
async function untilRuns(
  place: Place,
  job: string,
  holds: (runs: readonly Run[]) => boolean,
): Promise<readonly Run[]> {
  for (;;) {
    const found = await runs(place, job);
    if (holds(found)) return found;
  }
}

function custom(name: string, command: string, schedule = "in 1d"): string[] {
  return [
    "--name",
    name,
    "--schedule",
    schedule,
    "--task",
    "custom",
    "--config",
    JSON.stringify({ command }),
  ];
}

suite("swarm cron", () => {
  test("takes the example of its first document as it stands, and lists it in the columns promised there", async (t) => {
    const place = new Place(t);
    const script = `swarm cron create \\
  --name "nightly_fraud_drift" \\
  --schedule "0 3 * * *" \\
  --task drift_check \\
  --config '{"baseline_run_id": "abc123", "window_hours": 24}'
`;
    const line = `swarm() { "${process.execPath}" "${bin}" "$@"; }\n${script}`;
    const { status, stdout, stderr } = await endOf(place.start("bash", ["-c", line]));
    assert.deepEqual([status, stderr], [0, ""]);
    assert.match(stdout, /^cj_\w+ nightly_fraud_drift: first run \d{4}-\d\d-\d\dT\S+Z\n/);
    assert.match(stdout, /^if it ran now: .*"abc123"/m);
    const listed = (await place.swarm("cron", "list")).stdout.split("\n");
    assert.match(listed[0] ?? "", /^JOB_ID +NAME +SCHEDULE +LAST_RUN +STATUS +NEXT_RUN$/);
    assert.match(listed[1] ?? "", /^cj_\w+ +nightly_fraud_drift +0 3 \* \* \* +- +never_ran +\S+$/);
    const edited = await place.swarm("cron", "edit", "nightly_fraud_drift", "--retries", "1");
    assert.match(edited.stdout, /^nightly_fraud_drift is changed, .*\nif it ran now: .*"abc123"/);
    const mirror = JSON.parse(readFileSync(join(place.home, "cron", "jobs.json"), "utf8")) as { jobs: Job[] };
    assert.deepEqual(
      mirror.jobs.map(({ name }) => name),
      ["nightly_fraud_drift"],
    );
    const file = join(place.home, "cron", "jobs.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("0 3 * * *", "0 4 * * *"));
    assert.match(
      (await place.swarm("doctor")).stdout,
      /inert +cron: jobs\.json was edited by hand, which changes no job; take it over with: swarm cron import /,
    );
    for (const schedule of ["30m", "every 2h", "@daily", "0 2 * * *", "2026-05-15T09:00Z"]) {
      assert.equal((await place.swarm("cron", "preview", schedule)).status, 0, schedule);
    }
  });

  test("does everything without a daemon but fire", async (t) => {
    const place = new Place(t);
    await place.json("cron", "create", ...custom("greet", "echo hello; pwd"));
    await place.json("cron", "edit", "greet", "--retries", "2", "--grace", "5", "--tz", "Europe/Berlin");
    const shown = await place.json("cron", "show", "greet");
    assert.deepEqual(
      [shown.retries, shown.grace_s, shown.tz, shown.cwd],
      [2, 5, "Europe/Berlin", place.project],
    );
    assert.match((await place.swarm("cron", "pause", "greet")).stdout, /^greet is paused\n$/);
    const ran = await place.swarm("cron", "run", "greet", "--wait");
    assert.deepEqual([ran.status, ran.stdout.split("\n").slice(0, 2)], [0, ["hello", place.project]]);
    assert.match((await place.swarm("cron", "resume", "greet")).stdout, /^greet is resumed, next run /);
    await place.swarm("cron", "export", "--output", "jobs.json");
    assert.match((await place.swarm("cron", "delete", "greet")).stdout, /^greet is deleted\n$/);
    assert.match(
      (await place.swarm("cron", "import", "jobs.json")).stdout,
      /^1 made, 0 changed, 0 as they were\n$/,
    );
    const failed = await place.swarm("cron", "create", ...custom("greet", "true"));
    assert.deepEqual([failed.status, failed.stdout], [65, ""]);
    assert.match(failed.stderr, /a job named "greet" is there already.*\[SWARM_CRON_NAME_TAKEN\]\n$/);
    assert.match((await place.swarm("cron", "show", "gret")).stderr, /no job "gret", did you mean "greet"\?/);
    assert.match((await place.swarm("cron", "preview", "0 25 * * *")).stderr, /position 3: "25" is no hour/);
  });

  test("fires by its schedule in the daemon, told to the hooks of its folder, and verifies", async (t) => {
    const place = await trustedPlace(
      t,
      `hooks:
  - { event: cron.fired, type: command, match: guarded, mode: guard, on_failure: deny, command: "echo not today >&2; exit 2" }
  - { event: cron.completed, type: script, match: tick, command: "cat >> told; echo >> told" }
`,
    );
    const { child, ended } = await place.up();
    await place.json(
      "cron",
      "create",
      ...custom("tick", "echo $SWARM_CRON_SCHEDULED_AT >> ticks", "every 1s"),
    );
    await place.json("cron", "create", ...custom("guarded", "touch should-not-be", "every 1s"));
    const ticks = () =>
      existsSync(join(place.project, "ticks")) ? readFileSync(join(place.project, "ticks"), "utf8") : "";
    await until(() => ticks().split("\n").length > 3);
    const told = JSON.parse((await place.written("told")).split("\n")[0] ?? "") as {
      data: { name: string; task: string };
    };
    assert.deepEqual([told.data.name, told.data.task], ["tick", "custom"]);
    const denied = await untilRuns(
      place,
      "guarded",
      (found) => found.length > 0 && found[0]?.status !== "running",
    );
    assert.deepEqual([denied[0]?.status, /not today/.test(denied[0]?.reason ?? "")], ["denied", true]);
    assert.equal(existsSync(join(place.project, "should-not-be")), false);
    child.kill("SIGTERM");
    assert.equal((await ended).status, 0);
    const slots = ticks().trim().split("\n");
    assert.equal(new Set(slots).size, slots.length, "a slot fired twice");
    assert.match((await place.swarm("audit", "verify")).stdout, /^intact: /);
    assert.doesNotMatch((await place.swarm("audit", "verify")).stdout, /no outcome/);
  });

  test("a daemon that is killed leaves a run that the next one calls interrupted, and tries again where it may", async (t) => {
    const place = new Place(t);
    const first = await place.up();
    const command = "echo $$ > pid$SWARM_CRON_ATTEMPT; sleep 600";
    await place.json("cron", "create", ...custom("long", command), "--retries", "1", "--backoff", "1");
    await place.json("cron", "run", "long");
    const pid = Number(await place.written("pid1"));
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await place.up();
    const [interrupted] = await runs(place, "long");
    assert.deepEqual(
      [interrupted?.status, interrupted?.reason],
      ["interrupted", "the daemon that ran it ended"],
    );
    await untilRuns(place, "long", (found) => found[1]?.status === "running");
    const again = Number(await place.written("pid2"));
    second.child.kill("SIGTERM");
    assert.equal((await second.ended).status, 0);
    await gone(again);
    const [, retried] = await runs(place, "long");
    assert.deepEqual(
      [retried?.status, retried?.trigger, retried?.reason],
      ["interrupted", "retry", "the daemon was stopped"],
    );
    process.kill(-pid, "SIGKILL"); // nobody ended what the killed daemon had started
    await gone(pid);
  });

  test("a job that a rule asks about waits until somebody has approved it, on the command line", async (t) => {
    const place = new Place(t);
    mkdirSync(place.home, { recursive: true });
    const rule = "{ id: look, behaviour: ask, when: { event: cron.fired, kind: custom } }";
    writeFileSync(join(place.home, "config.yaml"), `policy: { rules: [${rule}] }\n`);
    await place.up();
    await place.json("cron", "create", ...custom("careful", "echo approved"));
    const begun = await place.swarm("cron", "run", "careful");
    assert.match(begun.stdout, /^cr_\w+ is waiting: .*look.*; decide with: swarm approvals list\n$/);
    assert.match(
      (await place.swarm("doctor")).stdout,
      /note +careful: cr_\w+ waits: .*\(swarm approvals list\)/,
    );
    const [waiting] = await untilRuns(place, "careful", ([run]) => run?.status === "waiting");
    const [, id = ""] = /swarm approvals approve (apr_\w+)/.exec(waiting?.reason ?? "") ?? [];
    assert.equal((await place.swarm("approvals", "approve", id)).status, 0);
    const [ran] = await untilRuns(place, "careful", ([run]) => !/waiting|running/.test(run?.status ?? ""));
    assert.deepEqual(
      [ran?.status, readFileSync(ran?.output_path ?? "", "utf8")],
      ["completed", "approved\n"],
    );
  });

  test("jobs of the user's file are there with it, a project's once they are approved", async (t) => {
    const place = new Place(
      t,
      "hooks: []\ncron: [{ name: theirs, schedule: 1h, task: custom, config: { command: pwd } }]\n",
    );
    mkdirSync(place.home, { recursive: true });
    const config = join(place.home, "config.yaml");
    writeFileSync(
      config,
      "cron:\n  - { name: tidy, schedule: '@daily', tz: UTC, task: retention }\n  - { name: bad, schedule: often, task: retention }\n",
    );
    await place.up();
    const { jobs, problems } = await place.json<{
      jobs: Job[];
      problems: { name: string; problem: string }[];
    }>("cron", "list");
    assert.deepEqual(
      jobs.map(({ name }) => name),
      ["tidy"],
    );
    assert.match(problems[0]?.problem ?? "", /config\.yaml:3:5: schedule "often", position 1: /);
    assert.match(
      (await place.swarm("cron", "edit", "tidy", "--retries", "1")).stderr,
      /is declared in .*config\.yaml/,
    );
    assert.match((await place.swarm("doctor")).stdout, /inert +theirs: untrusted: look at it .*swarm trust/);
    await place.trust();
    const theirs = await place.swarm("cron", "run", "theirs", "--wait");
    assert.equal(theirs.stdout.split("\n")[0], place.project);
    const ran = await place.swarm("cron", "run", "tidy", "--wait");
    assert.deepEqual([ran.status, /^0 payloads forgotten/.test(ran.stdout)], [0, true]);
  });
});
