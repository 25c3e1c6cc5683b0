import { SwarmError } from "../../base/errors.ts";
import { oneLine } from "../../base/show.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";
import { inertReason } from "../../policy/trust/judge.ts";
import { hasPdfPackage } from "../../record/pdf/pdf-library.ts";
import type { Finding } from "./finding.ts";

const badEndings: readonly string[] = ["failed", "timed_out", "interrupted", "denied"];

/** Jobs that are declared and not in force, and those whose last run did not end well. */
export async function examineCron(runtime: Runtime): Promise<Finding[]> {
  const cron = await runtime.cron.open();
  const jobs = await cron.list({ limit: 1_000 });
  const { config } = runtime.projects.at();
  const told = new Set(cron.problems.map(({ name }) => name));
  const inert = runtime.trust
    .judgeJobs(config)
    .jobs.filter(({ job, runnable }) => runnable === null && !told.has(job.settings.name))
    .map(({ job, state }): Finding => {
      return { level: "inert", about: job.settings.name, finding: inertReason(state) };
    });
  const failed = await Promise.all(
    jobs.map(async ({ job_id, name: about }): Promise<Finding[]> => {
      const last = await cron.lastRun(job_id);
      if (last?.status === "waiting")
        return [
          { level: "note", about, finding: `${last.run_id} waits: ${last.reason} (swarm approvals list)` },
        ];
      if (last === null || !badEndings.includes(last.status)) return [];
      return [{ level: "note", about, finding: `its last run: ${last.status}, ${last.reason}` }];
    }),
  );
  const withoutPackage = jobs
    .filter(({ task }) => task === "audit_pdf" && !hasPdfPackage())
    .map(({ name: about }): Finding => {
      return { level: "broken", about, finding: new SwarmError("SWARM_PDF_PACKAGE_MISSING", {}).message };
    });
  const found =
    jobs.length === 0 ? [] : [{ level: "ok", about: "cron", finding: `${jobs.length} jobs` } as const];
  const edits = (await cron.mirrorEdits()).map(({ file, isAside }): Finding => {
    const take = `take it over with: swarm cron import ${oneLine(file)}`;
    const finding = isAside
      ? `an edit of jobs.json by hand is kept in ${oneLine(file)}; ${take}, and remove it`
      : `jobs.json was edited by hand, which changes no job; ${take}`;
    return { level: isAside ? "note" : "inert", about: "cron", finding };
  });
  return [
    ...edits,
    ...cron.problems.map(
      ({ name: about, problem: finding }): Finding => ({ level: "broken", about, finding }),
    ),
    ...inert,
    ...withoutPackage,
    ...(runtime.flags.isOn("cron_scheduler")
      ? found
      : [{ level: "inert", about: "cron", finding: "the flag cron_scheduler is off" } as const]),
    ...failed.flat(),
  ];
}
