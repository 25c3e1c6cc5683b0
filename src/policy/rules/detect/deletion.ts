import { writtenFiles } from "../files/command-files.ts";
import type { ShellCommand } from "../../shell/command.ts";
import { foundAt } from "../../shell/programs/finders.ts";
import { shown } from "../../shell/marks.ts";
import { hasFlag, operands } from "./flags.ts";
import { absolutePath, type Place, type Whereabouts, whereabouts } from "./place.ts";

interface Deletion {
  readonly targets: readonly string[];
  /** Folders with all they hold, or whole disks. */
  readonly isDeep: boolean;
}

/** A folder outside the project goes, or a disk. */
export function deletesOutsideProject(command: ShellCommand, place: Place): string | null {
  return found(command, place, true, ["outside"]);
}

export function deletesFileOutsideProject(command: ShellCommand, place: Place): string | null {
  return found(command, place, false, ["outside"]);
}

/** The project itself goes, or its repository; or every file in it, as with `find . -exec rm {} +`. */
export function deletesProject(command: ShellCommand, place: Place): string | null {
  return found(command, place, null, ["whole project"]);
}

/** What goes is known only when it does. */
export function deletesUnknown(command: ShellCommand, place: Place): string | null {
  return found(command, place, true, ["unknown"]);
}

function found(
  command: ShellCommand,
  place: Place,
  isDeep: boolean | null,
  wanted: readonly Whereabouts[],
): string | null {
  const deletion = deletionOf(command);
  if (deletion === null || (isDeep !== null && deletion.isDeep !== isDeep)) return null;
  for (const target of deletion.targets) {
    if (target === "") continue;
    const path = absolutePath(target, command.cwd);
    if (path !== "/dev/null" && wanted.includes(whereabouts(path, place))) {
      return `${command.program} ${shown(target)}`;
    }
  }
  return null;
}

function deletionOf(command: ShellCommand): Deletion | null {
  const device = writtenFiles(command).find(isDevice);
  if (device !== undefined) return { targets: [device], isDeep: true };
  const read = Object.hasOwn(deleters, command.program) ? deleters[command.program] : undefined;
  if (read !== undefined) return read(command.args);
  return command.program.startsWith("mkfs") ? { targets: operands(command.args), isDeep: true } : null;
}

type Deleter = (args: readonly string[]) => Deletion | null;

const removes: Deleter = (args) => ({
  targets: operands(args),
  isDeep: hasFlag(args, "r", "recursive", "no-preserve-root") || hasFlag(args, "R"),
});
const removesDeep: Deleter = (args) => ({ targets: operands(args), isDeep: true });
const removesFiles: Deleter = (args) => ({ targets: operands(args), isDeep: false });

const deleters: Readonly<Record<string, Deleter>> = {
  rm: removes,
  grm: removes,
  srm: removes,
  unlink: removesFiles,
  rmdir: removesFiles,
  shred: removesFiles,
  truncate: removesFiles,
  rimraf: removesDeep,
  "del-cli": removesDeep,
  wipefs: removesDeep,
  blkdiscard: removesDeep,
  sgdisk: removesDeep,
  mkswap: removesDeep,
  mke2fs: removesDeep,
  find: (args) =>
    args.includes("-delete") ? { targets: foundAt(args, args.indexOf("-delete")), isDeep: true } : null,
  dd: (args) => {
    const targets = args.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3));
    return { targets, isDeep: targets.some(isDevice) };
  },
  rsync: (args) =>
    args.some((arg) => /^--del/.test(arg)) ? { targets: operands(args).slice(-1), isDeep: true } : null,
  // What is moved to where it is found no more, or to another disk, is gone from here.
  mv: (args) =>
    operands(args).at(-1) === "/dev/null" ? { targets: operands(args).slice(0, -1), isDeep: true } : null,
  "remove-item": (args) => ({ targets: operands(args), isDeep: args.some((arg) => /^-r/i.test(arg)) }),
  ri: (args) => ({ targets: operands(args), isDeep: args.some((arg) => /^-r/i.test(arg)) }),
  rd: (args) => ({ targets: args.filter((arg) => !arg.startsWith("/")), isDeep: true }),
};

function isDevice(path: string): boolean {
  return /^\/dev\/(?:sd|hd|nvme|vd|xvd|mmcblk|disk|rdisk|mapper\/|md\d|loop)/.test(path);
}
