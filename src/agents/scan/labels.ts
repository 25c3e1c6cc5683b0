import type { Action } from "../../policy/rules/action.ts";
import type { DetectorName } from "../../policy/rules/detect/detectors.ts";
import type { Place } from "../../policy/rules/detect/place.ts";
import { Facts } from "../../policy/rules/facts.ts";
import type { Judgement } from "../../policy/rules/policy.ts";
import type { Rule } from "../../policy/rules/rule.ts";
import type { ShellLine } from "../../policy/shell/command.ts";
import { shown } from "../../policy/shell/marks.ts";
import { shortText } from "./short-text.ts";

/** What a finding is called: one of them, and several. */
export interface Label {
  readonly one: string;
  readonly many: string;
}

type Named = (finding: string) => Label;

const label = (one: string, many = one): Label => ({ one, many });
const always =
  (one: string, many?: string): Named =>
  () =>
    label(one, many);

/** By what a shell line does. */
const detected: Readonly<Record<DetectorName, Named>> = {
  git_overwrites_remote: (finding) =>
    /\s(?:-d|--delete|:\S+)(?:\s|$)/.test(finding)
      ? label("deletion of a remote branch", "deletions of remote branches")
      : label("force-push", "force-pushes"),
  git_forces_with_lease: always("force-push with lease", "force-pushes with lease"),
  git_discards_work: always("git command that discards work", "git commands that discard work"),
  git_rewrites_history: always("rewrite of history", "rewrites of history"),
  deletes_outside_project: (finding) =>
    finding.startsWith("rm ")
      ? label("rm -rf outside the project")
      : label("deletion outside the project", "deletions outside the project"),
  deletes_file_outside_project: always(
    "file deleted outside the project",
    "files deleted outside the project",
  ),
  deletes_project: always("deletion of the project", "deletions of the project"),
  deletes_unknown: always("deletion of something unknown", "deletions of something unknown"),
  reads_whole_home: always("reading of the whole home folder", "readings of the whole home folder"),
  runs_download: always("download run unseen", "downloads run unseen"),
  stops_daemon: always("stopped or replaced daemon", "stopped or replaced daemons"),
  changes_startup: always("guard switched off at the next start", "guards switched off at the next start"),
  reaches_around: always("raw device or debugged process", "raw devices and debugged processes"),
  assembles_names: always("name put together in code", "names put together in code"),
  decides_for_itself: always("decision that is a person's", "decisions that are a person's"),
  runs_deciding_script: always("script that decides for a person", "scripts that decide for a person"),
  opens_swarm_home: always("opening of SWARM_HOME", "openings of SWARM_HOME"),
  takes_in_swarm_home: always("taking in of SWARM_HOME", "takings in of SWARM_HOME"),
  opens_interactive: always("interactive program", "interactive programs"),
  has_shell_escape: always("program with a way to a shell", "programs with a way to a shell"),
  unread: always("call with more in it than is read", "calls with more in them than is read"),
  opaque: always("command nobody can tell beforehand", "commands nobody can tell beforehand"),
};

/** What the call was found to be, in words a person would use: `read of .env`. */
export function labelOf({ rule, finding }: Judgement, action: Action, place: Place): Label {
  const { write_path, change_path, path, detect = [], command } = rule.when;
  if (finding === "") return ruleLabel(rule);
  if (change_path !== undefined) {
    return label(`change of ${shortName(finding)}`, `changes of ${shortName(finding)}`);
  }
  if (write_path !== undefined || path !== undefined) {
    const isWritten = new Facts(action, place).files.some(
      (file) => file.isWritten && shown(file.path.text) === finding,
    );
    const name = shortName(finding);
    return isWritten
      ? label(`write to ${name}`, `writes to ${name}`)
      : label(`read of ${name}`, `reads of ${name}`);
  }
  const [detector] = detect;
  if (detector !== undefined && detect.length === 1) return detected[detector](finding);
  if (detect.length > 0 || command === undefined) return ruleLabel(rule);
  const name = commandName(finding, new Facts(action, place).line);
  return name === null ? ruleLabel(rule) : label(`run of ${name}`, `runs of ${name}`);
}

/** Of the command a pattern such as `npm|pnpm publish|unpublish` was found in: `npm publish`. */
function commandName(pattern: string, line: ShellLine | null): string | null {
  const [programs = [], subcommands = []] = pattern.split(/\s+/).map((word) => word.split("|"));
  const command = line?.commands.find(({ program }) => programs.includes(program));
  if (command === undefined) return null;
  const subcommand = command.args.find((word) => subcommands.includes(word));
  return shortText(
    subcommand === undefined ? command.program : `${command.program} ${subcommand}`,
    maxNameChars,
  );
}

/** Where nothing more can be said, or too much would be. */
export function ruleLabel({ id }: Pick<Rule, "id">): Label {
  return label(`call under ${id}`, `calls under ${id}`);
}

const maxNameChars = 60;

/** `.env`; with its folder where that is what tells: `.ssh/id_rsa`. */
function shortName(path: string): string {
  const [folder = "", name = ""] = path.split("/").slice(-2);
  const isTold = name.startsWith(".") || !folder.startsWith(".");
  return shortText(isTold ? name : `${folder}/${name}`, maxNameChars);
}
