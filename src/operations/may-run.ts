import { questionOf } from "../policy/approvals/question.ts";
import type { Approval } from "../policy/approvals/port/approval-store.ts";
import type { DeniedNow, MayRun, RunDecision, RunRequest } from "./port/may-run.ts";
import { type ApprovalService, decided } from "../policy/approvals/service.ts";
import type { Project } from "../daemon/runtime/project.ts";

export interface MayRunOptions {
  readonly projectOf: (cwd: string | undefined) => Promise<Project>;
  readonly approvals: ApprovalService;
}

/** The rules of the run's folder judge it, and where they, a hook or the job say so a person does. */
export function mayRunBy({ projectOf, approvals }: MayRunOptions): MayRun {
  return async (request) => {
    const { event, data, asked } = request;
    const project = await projectOf(request.origin.cwd);
    const judged = request.isJudged ? null : judge(project, request);
    if (judged?.verdict === "deny") return { verdict: "deny", reason: `denied by ${judged.words}` };
    if (judged?.verdict !== "ask" && asked === null) return { verdict: "allow" };
    const rule = judged?.verdict === "ask" ? judged.rule : (asked?.by ?? null);
    const reason = judged?.verdict === "ask" ? judged.reason : (asked?.reason ?? null);
    const origin = { ...request.origin, cwd: project.cwd };
    const question = questionOf(event, data, { rule, reason, actor: "swarm", origin });
    const { config } = project;
    const first = await approvals.settleUnattended(question, config);
    return {
      verdict: "ask",
      // As it was first asked: what a hook or rule has said stands there without how to answer it.
      reason: decided(first, first.reason).reason,
      async decided(signal) {
        const pending = first.status === "pending";
        const approval = pending ? await approvals.settleUnattended(question, config, signal) : first;
        const decision = decisionOf(approval);
        if (decision === null || !decision.isApproved) return decision;
        // Rules may have changed while it waited: a yes to what they forbid by now is no yes.
        const now = judge(await projectOf(request.origin.cwd), request);
        return now?.verdict === "deny" ? { isApproved: false, reason: `denied by ${now.words}` } : decision;
      },
    };
  };
}

/** The rules of the run's folder, as they are now. */
export function deniedNowBy({ projectOf }: Pick<MayRunOptions, "projectOf">): DeniedNow {
  return async (request) => {
    const judged = judge(await projectOf(request.origin.cwd), request);
    return judged?.verdict === "deny" ? `denied by ${judged.words}` : null;
  };
}

function judge(
  { inForce: { rules } }: Project,
  { event, data, origin }: Pick<RunRequest, "event" | "data" | "origin">,
) {
  const answer = rules?.answer(event, data, origin);
  if (answer === undefined) return null;
  const { verdict, reason = null, by: rule = null } = answer;
  return { verdict, reason, rule, words: `${rule}${reason === null ? "" : `: ${reason}`}` };
}

/** Null: still pending, so it is us who leave. */
function decisionOf(approval: Approval): RunDecision | null {
  const { verdict, reason } = decided(approval, null);
  return verdict === "ask" ? null : { isApproved: verdict === "allow", reason };
}
