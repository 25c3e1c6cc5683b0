import { type Html, html, join } from "../../../base/html.ts";
import {
  type Change,
  changeNames,
  changes,
  type Finding,
  type FindingGroup,
  type ScanReport,
} from "../report.ts";
import { numbered } from "../summary.ts";
import { unreadNotes } from "../unread-notes.ts";
import { css } from "./css.ts";

/**
 * The report as one file: nothing in it is loaded from elsewhere or run, and a policy in its head says so to the browser.
 * Every text goes through `html`, which escapes it.
 */
export function pageOf(report: ScanReport): string {
  const { summary, policy, compared_with, until, groups } = report;
  const title = compared_with === null ? "What agents did here" : "A policy, tried on what agents did";
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>swarm scan: ${summary}</title>
<style>${css}</style>
</head>
<body>
<main>
<header>
<p class="eyebrow">swarm scan</p>
<h1>${title}</h1>
<p class="summary">${summary}</p>
</header>
${tiles(report)}
${agentsTable(report)}
${compared_with === null ? join(groups.map((group) => section(group, report))) : join(changeNames.map((change) => changeSection(change, report)))}
${groups.length === 0 ? html`<p class="calm">Nothing to show: every call would have happened as it did.</p>` : ""}
${unreadList(report)}
<footer>Judged by ${policy}${compared_with === null ? "" : html`, compared with ${compared_with}`}, ${until.slice(0, 16).replace("T", " ")} UTC. Calls are judged as files and folders are now. Nothing was sent anywhere; secrets that could be recognised are replaced.</footer>
</main>
</body>
</html>
`;
  return page.text;
}

function tiles({ calls, agents, counts, compared_with }: ScanReport): Html {
  const sessions = agents.reduce((sum, agent) => sum + agent.sessions, 0);
  const told: readonly (readonly [string, number, string])[] =
    compared_with === null
      ? [
          ["would have been denied", counts.deny, "deny"],
          ["would have been asked about", counts.ask, "ask"],
        ]
      : changeNames
          .filter(
            (change) => counts[change] > 0 || change === "newly_denied" || change === "newly_let_through",
          )
          .map((change) => [changes[change], counts[change], styles[change]] as const);
  const all = [...told, ["tool calls", calls, ""] as const, ["sessions", sessions, ""] as const];
  return html`<section class="tiles">${join(
    all.map(
      ([name, count, style]) =>
        html`<div class="tile ${style}"><b>${count.toLocaleString("en")}</b><span>${name}</span></div>`,
    ),
  )}</section>`;
}

const styles: Readonly<Record<Change, string>> = {
  newly_denied: "deny",
  newly_asked: "ask",
  asked_instead_of_denied: "ask",
  newly_let_through: "none",
  newly_allowed: "none",
};

function agentsTable({ agents }: ScanReport): Html {
  if (agents.length === 0) return html`<p class="calm">No transcripts were found.</p>`;
  const rows = agents.map(
    ({ agent, files, sessions, calls }) =>
      html`<tr><td>${agent}</td><td class="number">${calls.toLocaleString("en")}</td><td class="number">${sessions.toLocaleString("en")}</td><td class="number">${files.toLocaleString("en")}</td></tr>`,
  );
  return html`<section><table class="agents"><thead><tr><th>Agent</th><th class="number">Tool calls</th><th class="number">Sessions</th><th class="number">Files</th></tr></thead><tbody>${join(rows)}</tbody></table></section>`;
}

function changeSection(change: Change, report: ScanReport): Html {
  const groups = report.groups.filter((group) => group.change === change);
  if (groups.length === 0) return html``;
  const heading = `${changes[change]}: ${numbered(report.counts[change], "call")}`;
  return html`<h2>${heading}</h2>${join(groups.map((group) => section(group, report)))}`;
}

/** Open where it is worth a look at once. */
const openedFindings = 12;

function section(group: FindingGroup, { findings }: ScanReport): Html {
  const { verdict, summary, rule, reason, count } = group;
  const own = findings.filter((finding) => finding.group === group.id);
  const rest = count - own.length;
  const isOpen = count <= openedFindings ? " open" : "";
  return html`<details class="group"${isOpen}>
<summary><span class="badge ${verdict}">${verdict === "none" ? "passes" : verdict}</span><b>${summary}</b><code>${rule}</code></summary>
${reason === null ? "" : html`<p class="reason">${reason}</p>`}
<ol>${join(own.map(findingItem))}</ol>
${rest === 0 ? "" : html`<p class="reason">${numbered(rest, "more call")} not listed.</p>`}
</details>`;
}

function findingItem({ time, agent, session, subagent, cwd, tool, call, reason, before }: Finding): Html {
  const where = [`${time.slice(0, 16).replace("T", " ")} UTC`, agent, cwd ?? "folder not known"];
  const whose = subagent === null ? "" : html` · subagent ${subagent}`;
  const said = reason ?? before?.reason ?? null;
  return html`<li><pre>${call}</pre><p class="where">${tool} · ${where.join(" · ")} · session ${session}${whose}</p>${said === null ? "" : html`<p class="said">${said}</p>`}</li>`;
}

function unreadList(report: ScanReport): Html {
  const notes = unreadNotes(report);
  if (notes.length === 0) return html``;
  return html`<section class="unread"><h2>Not in these numbers</h2><ul>${join(notes.map((note) => html`<li>${note}</li>`))}</ul></section>`;
}
