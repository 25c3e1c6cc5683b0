/** Programs that run the file they are given: fine for a file the user has approved with the plugin, and for nothing else. */
const interpreters = words(`
  ash bash csh dash fish guile julia ksh lua luajit node nodejs osascript perl php pwsh pypy python rbash rscript
  ruby scheme sh tclsh tcsh wish yash zsh`);

/**
 * Programs that can be told to run another by an argument or by a file beside them, or that do so for a living. A plugin
 * that needs one puts it into a file of its own, which the user approves with its content.
 */
const launchers = words(`
  ansible apt apt-get at awk batch bazel bpftrace bsdtar bun busybox bwrap cargo ccache chroot cmake code command cpio
  cpulimit crontab dbus-run-session deno dnf doas docker dpkg ed editor emacs entr env eval ex exec expect fakeroot find
  firejail flatpak flock gawk gcc gdb go gradle gvim helm ionice ip java kubectl less ltrace make
  man mawk mise modprobe more mount mvn nano nawk nc ncat newgrp nice nmap nohup npm npx nsenter numactl nvim openssl
  original-awk pager parallel perf pip pipx pkexec pnpm podman proot pyenv rake rpm rsync run-parts runcon runuser rvim
  scp screen script sed setarch setpriv setsid sftp snap socat sort split ssh sshpass start-stop-daemon stdbuf strace
  su sudo systemctl systemd-run tar taskset telnet time timeout tmux toybox unshare uv uvx vi view vim vimdiff visudo
  watch wget wsl xargs xdg-open xterm yarn yum zip`);

/** The system's loader runs any program, and goes by many names: `ld.so`, `ld-linux-x86-64.so.2`. */
const loader = /\.so(\.|$)/;

/** One file with the programs of many names: its own name tells nothing about the one that is called. */
const multiCall = words("busybox coreutils toybox");

/** What of git only looks. Its other commands, and every option before the command, can run programs. */
const gitReads = words("branch describe diff log ls-files rev-parse show status version");

interface Argument {
  readonly plugin: string | null;
  readonly text: string;
}

/**
 * Why a program of the system may not be run with these arguments, whoever lists it; null if it may. It goes by names:
 * the last of several checks, and the only one that is a list of what is bad.
 */
export function launcherProblem(program: string, args: readonly Argument[]): string | null {
  for (const name of namesOf(program)) {
    if (interpreters.has(name) && (args[0]?.plugin ?? null) === null)
      return `${name} runs code, expected a file of the plugin as its first argument`;
    if (launchers.has(name) || loader.test(name))
      return `${name} can run other programs, expected a file of the plugin that does, for the user to approve`;
    if (name === "git" && !gitReads.has(args[0]?.text ?? ""))
      return `git may only look, expected ${[...gitReads].join(" or ")} as its first argument`;
  }
  return null;
}

/** The same for the file a program's name leads to: under another name it is still what it is. */
export function linkedProblem(file: string, args: readonly Argument[]): string | null {
  return multiCall.has(file) ? null : launcherProblem(file, args);
}

/** Many have their version or flavour in the name: `python3.12`, `gcc-12`, `vim.basic`. */
function namesOf(program: string): string[] {
  const name = program.toLowerCase();
  return [name, name.split(".")[0] ?? ""].map((part) => part.replace(/[-.]?\d[\d.]*$/, ""));
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
