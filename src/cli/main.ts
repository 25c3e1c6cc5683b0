import { once } from "node:events";
import { existsSync } from "node:fs";
import { SwarmError } from "../base/errors.ts";
import { maskMessages } from "../base/mask-messages.ts";
import { suggest } from "../base/suggest.ts";
import { version } from "../base/version.ts";
import {
  approvalsApproveCommand,
  approvalsDenyCommand,
  approvalsListCommand,
  approvalsShowCommand,
} from "../policy/approvals/cli/approvals.ts";
import { approvalsKeyCommand, approvalsRequireCommand } from "../policy/approvers/cli/approver-keys.ts";
import {
  auditExportCommand,
  auditHeadCommand,
  auditLogCommand,
  auditVerifyCommand,
} from "../record/audit/cli/audit.ts";
import { auditAcceptCommand } from "../record/audit/cli/audit-accept.ts";
import { auditPdfCommand, auditPdfsCommand } from "../record/pdf/cli/audit-pdf.ts";
import { batchCancelCommand } from "../operations/batch/cli/cancel.ts";
import { batchListCommand, batchStatusCommand, batchWatchCommand } from "../operations/batch/cli/look.ts";
import { batchReportCommand } from "../operations/batch/cli/report.ts";
import { batchResultsCommand } from "../operations/batch/cli/results.ts";
import { batchResumeCommand, batchSubmitCommand } from "../operations/batch/cli/submit.ts";
import { checkCommand } from "./check.ts";
import { type Command, type Output, parseCommand, usage } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { confirm } from "./confirm.ts";
import { cronCreateCommand, cronEditCommand } from "../operations/cron/cli/create.ts";
import { cronExportCommand, cronImportCommand, cronPreviewCommand } from "../operations/cron/cli/files.ts";
import { cronListCommand, cronShowCommand } from "../operations/cron/cli/list.ts";
import { cronRunCommand, cronRunsCommand } from "../operations/cron/cli/runs.ts";
import { cronDeleteCommand, cronPauseCommand, cronResumeCommand } from "../operations/cron/cli/switch.ts";
import { dashboardCommand } from "./dashboard.ts";
import { doctorCommand } from "./doctor.ts";
import {
  baselinesListCommand,
  baselinesSetCommand,
  baselinesShowCommand,
} from "../operations/drift/cli/baselines.ts";
import { driftCheckCommand } from "../operations/drift/cli/check.ts";
import { driftListCommand, driftShowCommand } from "../operations/drift/cli/list.ts";
import { emitCommand } from "./emit.ts";
import { eventsCommand } from "./events.ts";
import { flagsListCommand, flagsSetCommand, flagsUnsetCommand } from "../daemon/flags/cli/flags.ts";
import { hookCommand } from "./hook.ts";
import { groupHelp, helpFor, isGroup, overview } from "./help.ts";
import { hooksExplainCommand } from "./hooks/explain.ts";
import { hooksListCommand } from "./hooks/list.ts";
import { hooksRunsCommand } from "./hooks/runs.ts";
import { hooksShowCommand } from "./hooks/show.ts";
import { hooksDisableCommand, hooksEnableCommand } from "./hooks/switch.ts";
import { hooksTestCommand } from "./hooks/test.ts";
import { hooksNewCommand } from "./hooks-new.ts";
import { initCommand } from "./init/init.ts";
import { installCommand, uninstallCommand } from "../agents/install/cli/install.ts";
import { logsCommand } from "./logs.ts";
import {
  modelsListCommand,
  modelsPromoteCommand,
  modelsShowCommand,
} from "../operations/pipelines/cli/models.ts";
import { pipelinesListCommand, pipelinesShowCommand } from "../operations/pipelines/cli/list.ts";
import { pipelinesCancelCommand, pipelinesRunCommand } from "../operations/pipelines/cli/run.ts";
import { pluginsAddCommand } from "../policy/plugins/cli/add.ts";
import { pluginsListCommand } from "../policy/plugins/cli/list.ts";
import { pluginsRemoveCommand } from "../policy/plugins/cli/remove.ts";
import { pluginsRunsCommand } from "../policy/plugins/cli/runs.ts";
import { pluginsDisableCommand, pluginsEnableCommand } from "../policy/plugins/cli/switch.ts";
import { policyAllowCommand } from "../policy/rules/cli/allow.ts";
import { policyCheckCommand } from "../policy/rules/cli/check.ts";
import { policyInitCommand } from "../policy/rules/cli/init.ts";
import { policyTestCommand } from "../policy/rules/cli/test.ts";
import { printable, printError } from "./print.ts";
import { scanCommand } from "../agents/scan/cli/scan.ts";
import { serviceInstallCommand, serviceUninstallCommand } from "./service.ts";
import { statusCommand } from "./status.ts";
import { statuslineCommand } from "./statusline.ts";
import { stopCommand } from "./stop.ts";
import {
  loginCommand,
  tokensAddCommand,
  tokensListCommand,
  tokensRevokeCommand,
} from "../daemon/access/cli/tokens.ts";
import {
  agentsCompleteCommand,
  agentsHeartbeatCommand,
  agentsKillCommand,
  agentsListCommand,
  agentsRegisterCommand,
} from "../swarm/agents/cli/agents.ts";
import { mcpCommand } from "../swarm/mcp/cli/mcp.ts";
import { mailAckCommand, mailListCommand, mailReadCommand, mailSendCommand } from "../swarm/mail/cli/mail.ts";
import { taskAddCommand, taskEditCommand } from "../swarm/tasks/cli/add.ts";
import {
  taskAcceptCommand,
  taskAnswerCommand,
  taskBlockCommand,
  taskCancelCommand,
  taskReopenCommand,
  taskRetryCommand,
  taskSendBackCommand,
  taskSupersedeCommand,
  taskUnblockCommand,
} from "../swarm/tasks/cli/decide.ts";
import {
  taskListCommand,
  taskReadyCommand,
  taskShowCommand,
  taskTreeCommand,
} from "../swarm/tasks/cli/list.ts";
import {
  taskAskCommand,
  taskClaimCommand,
  taskFailCommand,
  taskRenewCommand,
  taskReportCommand,
} from "../swarm/tasks/cli/work.ts";
import { tryCommand } from "./try/try.ts";
import { trustCommand } from "../policy/trust/cli/trust.ts";
import { swarmHome } from "./swarm-home.ts";
import { upCommand } from "./up.ts";
import { verifyCommand } from "../agents/verify/cli/verify.ts";
import { webhooksDeliveriesCommand } from "../operations/webhooks/cli/deliveries.ts";
import { webhooksReplayCommand } from "../operations/webhooks/cli/replay.ts";
import { webhooksTestCommand } from "../operations/webhooks/cli/test.ts";

export const commands: Readonly<Record<string, Command>> = {
  init: initCommand,
  up: upCommand,
  stop: stopCommand,
  status: statusCommand,
  statusline: statuslineCommand,
  "service install": serviceInstallCommand,
  "service uninstall": serviceUninstallCommand,
  check: checkCommand,
  doctor: doctorCommand,
  install: installCommand,
  uninstall: uninstallCommand,
  verify: verifyCommand,
  scan: scanCommand,
  try: tryCommand,
  trust: trustCommand,
  hook: hookCommand,
  events: eventsCommand,
  dashboard: dashboardCommand,
  login: loginCommand,
  "tokens add": tokensAddCommand,
  "tokens list": tokensListCommand,
  "tokens revoke": tokensRevokeCommand,
  "flags list": flagsListCommand,
  "flags set": flagsSetCommand,
  "flags unset": flagsUnsetCommand,
  emit: emitCommand,
  logs: logsCommand,
  "hooks list": hooksListCommand,
  "hooks show": hooksShowCommand,
  "hooks test": hooksTestCommand,
  "hooks new": hooksNewCommand,
  "hooks enable": hooksEnableCommand,
  "hooks disable": hooksDisableCommand,
  "hooks runs": hooksRunsCommand,
  "hooks explain": hooksExplainCommand,
  "plugins list": pluginsListCommand,
  "plugins add": pluginsAddCommand,
  "plugins remove": pluginsRemoveCommand,
  "plugins enable": pluginsEnableCommand,
  "plugins disable": pluginsDisableCommand,
  "plugins runs": pluginsRunsCommand,
  "approvals list": approvalsListCommand,
  "approvals show": approvalsShowCommand,
  "approvals approve": approvalsApproveCommand,
  "approvals deny": approvalsDenyCommand,
  "approvals key": approvalsKeyCommand,
  "approvals require": approvalsRequireCommand,
  "policy allow": policyAllowCommand,
  "policy check": policyCheckCommand,
  "policy test": policyTestCommand,
  "policy init": policyInitCommand,
  "cron create": cronCreateCommand,
  "cron list": cronListCommand,
  "cron show": cronShowCommand,
  "cron edit": cronEditCommand,
  "cron pause": cronPauseCommand,
  "cron resume": cronResumeCommand,
  "cron run": cronRunCommand,
  "cron runs": cronRunsCommand,
  "cron delete": cronDeleteCommand,
  "cron preview": cronPreviewCommand,
  "cron export": cronExportCommand,
  "cron import": cronImportCommand,
  "pipelines run": pipelinesRunCommand,
  "pipelines list": pipelinesListCommand,
  "pipelines show": pipelinesShowCommand,
  "pipelines cancel": pipelinesCancelCommand,
  "models list": modelsListCommand,
  "models show": modelsShowCommand,
  "models promote": modelsPromoteCommand,
  "batch submit": batchSubmitCommand,
  "batch resume": batchResumeCommand,
  "batch list": batchListCommand,
  "batch status": batchStatusCommand,
  "batch watch": batchWatchCommand,
  "batch results": batchResultsCommand,
  "batch report": batchReportCommand,
  "batch cancel": batchCancelCommand,
  "drift check": driftCheckCommand,
  "drift list": driftListCommand,
  "drift show": driftShowCommand,
  "baselines set": baselinesSetCommand,
  "baselines list": baselinesListCommand,
  "baselines show": baselinesShowCommand,
  "task add": taskAddCommand,
  "task edit": taskEditCommand,
  "task list": taskListCommand,
  "task ready": taskReadyCommand,
  "task show": taskShowCommand,
  "task tree": taskTreeCommand,
  "task claim": taskClaimCommand,
  "task renew": taskRenewCommand,
  "task report": taskReportCommand,
  "task fail": taskFailCommand,
  "task ask": taskAskCommand,
  "task answer": taskAnswerCommand,
  "task accept": taskAcceptCommand,
  "task send-back": taskSendBackCommand,
  "task retry": taskRetryCommand,
  "task cancel": taskCancelCommand,
  "task supersede": taskSupersedeCommand,
  "task block": taskBlockCommand,
  "task unblock": taskUnblockCommand,
  "task reopen": taskReopenCommand,
  "agents register": agentsRegisterCommand,
  "agents list": agentsListCommand,
  "agents heartbeat": agentsHeartbeatCommand,
  "agents complete": agentsCompleteCommand,
  "agents kill": agentsKillCommand,
  mcp: mcpCommand,
  "mail send": mailSendCommand,
  "mail list": mailListCommand,
  "mail read": mailReadCommand,
  "mail ack": mailAckCommand,
  "audit log": auditLogCommand,
  "audit verify": auditVerifyCommand,
  "audit export": auditExportCommand,
  "audit head": auditHeadCommand,
  "audit accept": auditAcceptCommand,
  "audit pdf": auditPdfCommand,
  "audit pdfs": auditPdfsCommand,
  "webhooks deliveries": webhooksDeliveriesCommand,
  "webhooks replay": webhooksReplayCommand,
  "webhooks test": webhooksTestCommand,
  completion: completionCommand(() => commands),
};

/** Runs one command line and returns its exit code. Errors are one line on stderr: cause and next step. */
export async function main(args: readonly string[]): Promise<number> {
  maskMessages();
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  try {
    return await print(await runCommand(args));
  } catch (thrown) {
    const error = thrown instanceof SwarmError ? thrown : bug(thrown as Error);
    printError(`swarm: ${error.message} [${error.code}]\n`);
    return error.exitCode;
  }
}

/** A reader that has seen enough, such as head, closes the pipe; a daemon outlives the terminal it was started on. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
}

function bug(error: Error): SwarmError {
  if (process.env.SWARM_LOG_HOOKS === "debug") printError(`${error.stack}\n`);
  return new SwarmError("SWARM_INTERNAL", { problem: `${error.name}: ${error.message}` }, { cause: error });
}

async function print(output: Output): Promise<number> {
  if (typeof output === "string") return print({ text: output, exitCode: 0 });
  if ("exitCode" in output) {
    process.stdout.write(printable(output.text));
    return output.exitCode;
  }
  const parts = output[Symbol.asyncIterator]();
  for (;;) {
    const part = await parts.next();
    if (part.done === true) return typeof part.value === "number" ? part.value : 0;
    if (process.stdout.destroyed) break;
    if (!process.stdout.write(printable(part.value)))
      await once(process.stdout, "drain").catch(ignoreClosedPipe);
  }
  await parts.return?.();
  return 0;
}

async function runCommand(args: readonly string[]): Promise<Output> {
  const [first, second] = args;
  if (first === undefined && (await isInitWanted())) return parseCommand("init", initCommand, []);
  if (first === undefined || first === "--help" || first === "-h") return overview(commands);
  if (first === "help") return second === undefined ? overview(commands) : helpFor(commands, args.slice(1));
  if (first === "--version" || first === "-v") return `${version()}\n`;
  for (const name of [`${first} ${second}`, first]) {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) return parseCommand(name, command, args.slice(name.split(" ").length));
  }
  const isAsking = second === undefined || second === "--help" || second === "-h";
  if (isGroup(commands, first) && isAsking) return groupHelp(commands, first);
  if (isGroup(commands, first) && second?.startsWith("-")) throw usage(first, "a command is missing");
  throw unknownCommand(second === undefined || second.startsWith("-") ? first : `${first} ${second}`);
}

/** Who has nothing yet and types the program's name alone is asked; a pipe, or a second time, gets the overview. */
async function isInitWanted(): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true || existsSync(swarmHome())) return false;
  const input = { positionals: [], options: {}, flags: new Set<string>(), isJson: false };
  return confirm(
    "init",
    input,
    overview(commands),
    "Guard this machine's agents now, by swarm init? It shows each step first.",
  );
}

function unknownCommand(name: string): SwarmError {
  const near = suggest(name, Object.keys(commands));
  const hint = near === undefined ? "see swarm --help" : `did you mean swarm ${near}?`;
  return new SwarmError("SWARM_USAGE", {
    problem: `unknown command ${JSON.stringify(name.slice(0, 60))}`,
    hint,
  });
}
