import type { ShellCommand } from "../../shell/command.ts";
import { hasUnknown, shown } from "../../shell/marks.ts";
import { codeTexts } from "./code-texts.ts";
import { operands } from "./flags.ts";
import { onlyLists } from "./only-lists.ts";
import { words } from "../../shell/programs/words.ts";

/**
 * Whether a command gets at files or memory by another way than their names: a debugger on a process that runs, a raw
 * device, a file system that is read or mounted again. None of these says which file it is after.
 */
export function reachesAround(command: ShellCommand): string | null {
  const { program, args } = command;
  if (program === "" && command.redirects.length === 0) return null;
  const isFound =
    attaches(command) || (opensImages.has(program) && operands(args).length > 0) || opensDevice(command);
  return isFound ? `${program} ${shown(args.join(" "))}`.slice(0, 200) : null;
}

/** Programs that look into any process there is. */
const onProcesses =
  /^(?:gcore|bpftrace|dtrace|dtruss|reptyr|injcso|jattach|frida(?:-\w+)?|memdump|procdump)$/;
const debuggers = /^(?:c?gdb|gdb-multiarch|lldb|rr|edb|radare2|r2|rizin)$/;
const tracers = /^(?:[sl]trace|perf|uftrace|py-spy|rbspy|ktrace)$/;

function attaches(command: ShellCommand): boolean {
  const { program, args } = command;
  if (onProcesses.test(program))
    return args.length > 0 && !args.some((arg) => /^(?:--version|--help|-V)$/.test(arg));
  if (tracers.test(program)) return args.some((arg) => /^-\w*p(?:\d.*)?$|^--(?:pid|attach)/.test(arg));
  if (debuggers.test(program)) {
    const [, second = ""] = operands(args);
    const isProcess = /^\d+$/.test(second) || (hasUnknown(second) && !second.includes("/"));
    return isProcess || args.some((arg) => /^-p\d*$|^-?-(?:pid|attach)|\battach\b/.test(arg));
  }
  if (/^(?:node|nodejs)$/.test(program))
    return args[0] === "inspect" && args.some((arg) => /^-p|^--pid|:\d/.test(arg));
  return codeTexts(command).some((code) =>
    /\bptrace\b|process_vm_(?:read|write)v|\/proc\/[^"'`\s/]*\/mem\b/.test(code),
  );
}

/** Programs that read a file system without its names, or bring one in a second time. */
const opensImages: ReadonlySet<string> = new Set([
  ...["debugfs", "xfs_db", "zdb", "e2image", "extundelete", "testdisk", "photorec", "foremost", "guestmount"],
  ...["guestfish", "icat", "fls", "fcat", "kpartx", "qemu-nbd", "dmsetup", "losetup", "ntfscat", "mcopy"],
]);

const device =
  /^(?:[\w-]+=)?\/dev\/(?:sd[a-z]|hd[a-z]|nvme\d|vd[a-z]|xvd[a-z]|mmcblk\d|r?disk\d|disk\/by-|mapper\/|dm-\d|md\d|loop\d|k?mem$|port$|root$|nbd\d)|^\/proc\/kcore$/;
/** Of another process; `self` is the one that reads it. */
const processPart =
  /^\/proc\/(?!self\/|thread-self\/)[^/]+\/(?:task\/[^/]+\/)?(?:mem|environ|fd|fdinfo|map_files)(?:\/|$)/;
const inCode = /["'`]\/dev\/(?:sd[a-z]|nvme\d|vd[a-z]|xvd[a-z]|mmcblk\d|mapper\/|dm-\d|k?mem\b)/;

/** These tell of devices and leave what is on them alone. */
const tellers: ReadonlySet<string> = words(`
  lsblk blkid findmnt smartctl hdparm udevadm lsof umount eject blockdev swapon nvme echo printf tune2fs
  dumpe2fs fsck e2fsck mountpoint udisksctl git`);

function opensDevice(command: ShellCommand): boolean {
  const { program, args, redirects } = command;
  if (program === "mount" && args.some((arg) => /^(?:(?:PART)?(?:UUID|LABEL)=|-[UL])/.test(arg))) return true;
  const words = [...args, ...redirects.map(({ target }) => target)];
  if (!words.some((word) => word.includes("/dev/") || word.includes("/proc/"))) return false;
  const isListing =
    /^(?:s?fdisk|parted|gdisk|sgdisk)$/.test(program) && args.some((arg) => /^-\w*l|^print$/.test(arg));
  const isTold = tellers.has(program) || onlyLists(command) || isListing;
  // The first is what it looks for.
  const isSearch = /^[ef]?grep$/.test(program);
  const opened = isSearch ? [...operands(args).slice(1), ...redirects.map(({ target }) => target)] : words;
  const named = isTold ? redirects.map(({ target }) => target) : opened;
  return (
    named.some((word) => device.test(word) || processPart.test(word)) ||
    codeTexts(command).some((code) => inCode.test(code))
  );
}
