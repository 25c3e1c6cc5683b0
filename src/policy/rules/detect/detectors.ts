import type { Facts } from "../facts.ts";
import type { PathNames } from "../files/path-globs.ts";
import type { ShellCommand, ShellLine } from "../../shell/command.ts";
import { assemblesNames } from "./assembles-names.ts";
import { takesInOwnFolder } from "./around-own-folder.ts";
import { changesStartup } from "./changes-startup.ts";
import {
  deletesFileOutsideProject,
  deletesOutsideProject,
  deletesProject,
  deletesUnknown,
} from "./deletion.ts";
import { discardsWork, forcesWithLease, overwritesRemote, rewritesHistory } from "./git.ts";
import { readsWholeHome } from "./home.ts";
import { hasShellEscape, opensInteractive } from "./opens-interactive.ts";
import { decidesForItself } from "./own-decisions.ts";
import { opensOwnFolder } from "./own-folder.ts";
import { runsDecidingScript } from "./own-scripts.ts";
import type { Place } from "./place.ts";
import { reachesAround } from "./reaches-around.ts";
import { runsDownload } from "./runs-download.ts";
import { stopsDaemon } from "./stops-daemon.ts";

/** Something an action does that no pattern of words can tell: in its shell line, or in whatever tool it is. */
export type Detector = LineDetector | ActionDetector;

interface LineDetector {
  readonly doc: string;
  /** What was found, in words; null when nothing was. */
  find(line: ShellLine, place: Place): string | null;
}

interface ActionDetector {
  readonly doc: string;
  /** Compiled once for the folders that `~` and `$SWARM_HOME` stand for. */
  compile(names: PathNames): (facts: Facts) => string | null;
}

export const detectors = {
  git_overwrites_remote: each(
    "git push with force, a `+` or `:` refspec, --mirror, --prune or --delete",
    overwritesRemote,
  ),
  git_forces_with_lease: each("git push --force-with-lease", forcesWithLease),
  git_discards_work: each(
    "reset --hard, clean -f, checkout -- or ., restore, branch -D, stash drop …",
    discardsWork,
  ),
  git_rewrites_history: each("filter-branch, filter-repo, reflog expire, gc --prune=now …", rewritesHistory),
  deletes_outside_project: each("a folder outside the project, or a disk", deletesOutsideProject),
  deletes_file_outside_project: each("a single file outside the project", deletesFileOutsideProject),
  deletes_project: each("the project's folder, everything in it, or its .git", deletesProject),
  deletes_unknown: each("folders whose names are known only when the line runs", deletesUnknown),
  reads_whole_home: each("an archive, copy or search of the user's whole folder", readsWholeHome),
  runs_download: {
    doc: "curl | sh in any spelling, and running a file the same line has fetched",
    find: runsDownload,
  },
  decides_for_itself: {
    doc: "a decision that is a person's: approvals approve, trust, flags set …, by whatever program, or its REST route",
    compile: decidesForItself,
  },
  runs_deciding_script: {
    doc: "a script that is run from a file and takes such a decision, or opens the secrets in SWARM_HOME",
    compile: runsDecidingScript,
  },
  opens_swarm_home: {
    doc: "SWARM_HOME as a whole: copied, archived, searched, linked, mounted, or named in code",
    compile: opensOwnFolder,
  },
  takes_in_swarm_home: {
    doc: "a folder around SWARM_HOME, other than the project: archived, copied, searched, linked or mounted",
    compile: takesInOwnFolder,
  },
  stops_daemon: {
    doc: "the daemon is stopped, or our program uninstalled, moved or replaced",
    compile: stopsDaemon,
  },
  reaches_around: each(
    "a debugger on a process that runs, a raw device, a file system that is read or mounted again",
    reachesAround,
  ),
  assembles_names: each(
    "code that puts together what may be a name of ours, or runs what it decodes",
    assemblesNames,
  ),
  changes_startup: {
    doc: "what shells, logins and timers read later is changed so that it switches guards off, replaces or decides",
    compile: changesStartup,
  },
  opens_interactive: {
    doc: "something that executes what is typed into it later: `bash`, `python -i`, `psql`, `ssh host`, `cat | sh` …",
    find: opensInteractive,
  },
  has_shell_escape: {
    doc: "an editor, a pager, a debugger or a connection on the terminal: `vim x`, `less x`, `gdb x`, `nc host 80`",
    find: hasShellEscape,
  },
  unread: {
    doc: "more than is read: a line, code or arguments that are too long, too many or too deep",
    compile: () => (facts) => facts.unread,
  },
  opaque: {
    doc: "part of the line cannot be told before it runs: eval $X, a program named by a variable …",
    find: ({ opaque }) => opaque[0] ?? null,
  },
} as const satisfies Record<string, Detector>;

export type DetectorName = keyof typeof detectors;

function each(doc: string, find: (command: ShellCommand, place: Place) => string | null): LineDetector {
  return {
    doc,
    find({ commands }, place) {
      for (const command of commands) {
        const found = find(command, place);
        if (found !== null) return found;
      }
      return null;
    },
  };
}
