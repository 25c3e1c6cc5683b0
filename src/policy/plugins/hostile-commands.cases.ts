/** Where hostile commands would leave a mark, and what they are given to do it with. */
export interface Bait {
  /** The file that must never appear. */
  readonly mark: string;
  /** A program in the project that writes it. */
  readonly evil: string;
  /** The project: a git repository whose own settings run `evil`. */
  readonly project: string;
  /** A tar file, and a folder with a program `git-x`. */
  readonly archive: string;
  readonly programs: string;
}

export interface HostileCommand {
  readonly what: string;
  readonly argv?: readonly string[];
  readonly line?: string;
  /** It is harmless when listed whole; it is only not to run because it is not. */
  readonly isOnlyUnlisted?: true;
}

/**
 * Ways around a list of allowed programs. Started as they are, most of them run something else than their first word
 * says; none may be started, whether their names are listed or, where that is possible, the very line is.
 */
export function hostileCommands({ mark, evil, project, archive, programs }: Bait): HostileCommand[] {
  const own = `\${CLAUDE_PLUGIN_ROOT}`;
  const touch = `touch ${mark}`;
  const argv = (what: string, ...words: string[]): HostileCommand => ({ what, argv: words });
  const line = (what: string, text: string): HostileCommand => ({ what, line: text });
  return [
    argv("git with an alias that is a shell line", "git", "-c", `alias.x=!${touch}`, "x"),
    argv("git with an alias that is a program", "git", "-c", `alias.x=!${evil}`, "x"),
    argv("git with a monitor of files", "git", "-c", `core.fsmonitor=${evil}`, "-C", project, "status"),
    argv("git in a repository with a monitor", "git", "-C", project, "status"),
    argv(
      "git with a repository named",
      "git",
      `--git-dir=${project}/.git`,
      `--work-tree=${project}`,
      "status",
    ),
    argv("git with programs from elsewhere", "git", `--exec-path=${programs}`, "x"),
    argv("git with a pager", "git", "--paginate", "-c", `core.pager=${evil}`, "version"),
    argv("git with another end", "git", "ls-remote", `--upload-pack=${evil}`, project),
    argv(
      "git with a program for ssh",
      "git",
      "-c",
      `core.sshCommand=${evil}`,
      "ls-remote",
      "ssh://localhost/x",
    ),
    argv("git with a protocol that is a program", "git", "ls-remote", `ext::${evil}`),
    argv("git with files opened", "git", "grep", "--no-index", `--open-files-in-pager=${evil}`, "x", evil),
    argv("git for each submodule", "git", "submodule", "foreach", touch),
    argv("git bisect run", "git", "bisect", "run", evil),
    argv("git rebase --exec", "git", "rebase", "--exec", evil, "HEAD"),
    argv("git difftool", "git", "difftool", "--no-prompt", `--extcmd=${evil}`, "HEAD"),
    argv("git config that is written", "git", "config", "--global", "core.fsmonitor", evil),
    argv(
      "tar at a checkpoint",
      "tar",
      "--checkpoint=1",
      `--checkpoint-action=exec=${evil}`,
      "-cf",
      "/dev/null",
      evil,
    ),
    argv("tar to a command", "tar", "-xf", archive, `--to-command=${evil}`),
    argv("tar with a compressor, short", "tar", "-I", evil, "-cf", "/dev/null", evil),
    argv("tar with a compressor, long", "tar", `--use-compress-program=${evil}`, "-cf", "/dev/null", evil),
    argv("tar with a script for the next volume", "tar", "-cf", `${mark}.tar`, "-L1", "-F", evil, "/usr/bin"),
    argv("find -exec", "find", evil, "-exec", "touch", mark, "+"),
    argv("find -execdir", "find", evil, "-execdir", evil, ";"),
    argv("find that writes", "find", evil, "-fprint", mark),
    argv("env", "env", "touch", mark),
    argv("env with a line", "env", "-S", touch),
    argv("env with a path", "env", `PATH=${programs}`, "git-x"),
    argv("xargs", "xargs", "-I", "X", "touch", mark),
    argv("xargs with a file", "xargs", "-a", evil, "touch", mark),
    argv("awk with system()", "awk", `BEGIN { system("${touch}") }`),
    argv("awk with a pipe", "awk", `BEGIN { print | "${touch}" }`),
    argv("mawk under its own name", "mawk", `BEGIN { system("${touch}") }`),
    argv("awk with a file", "awk", "-f", evil),
    argv("sed that executes", "sed", `1e ${touch}`),
    argv("sed that writes", "sed", "-n", `w ${mark}`),
    argv("sed that executes what it made", "sed", `s/.*/${touch.replaceAll("/", "\\/")}/e`),
    argv("ssh with a proxy", "ssh", "-o", `ProxyCommand=${touch}`, "localhost"),
    argv(
      "ssh with a local command",
      "ssh",
      "-o",
      "PermitLocalCommand=yes",
      "-o",
      `LocalCommand=${evil}`,
      "localhost",
    ),
    argv("a shell with a line", "sh", "-c", touch),
    argv("a shell by its path", "/bin/sh", "-c", touch),
    argv("another shell", "bash", "-c", touch),
    argv("a shell under an old name", "dash", "-c", touch),
    argv("a restricted shell", "rbash", "-c", touch),
    argv("a shell with a file of the project", "sh", evil),
    argv("a shell that reads its input first", "sh", "-s", `${own}/ok.sh`),
    argv("a shell with a file before", "bash", "--init-file", evil, "-i", `${own}/ok.sh`),
    argv("python -c", "python3", "-c", `open("${mark}", "w")`),
    argv("python -m", "python3", "-m", "timeit", "-n1", `open("${mark}", "w")`),
    argv("python by its version", "python3.11", "-c", `open("${mark}", "w")`),
    argv("perl -e", "perl", "-e", `open(F, ">", "${mark}")`),
    argv("perl by its version", "perl5.36.0", "-e", `open(F, ">", "${mark}")`),
    argv("ruby -e", "ruby", "-e", `File.write("${mark}", "")`),
    argv("node -e", "node", "-e", `fs.writeFileSync("${mark}", "")`),
    argv("node --eval", "node", `--eval=fs.writeFileSync("${mark}","")`),
    argv("node with a module before", "node", "--require", evil, `${own}/ok.sh`),
    argv("php -r", "php", "-r", `touch("${mark}");`),
    argv("lua -e", "lua5.4", "-e", `io.open("${mark}", "w")`),
    argv("nohup", "nohup", "touch", mark),
    argv("timeout", "timeout", "5", "touch", mark),
    argv("nice", "nice", "touch", mark),
    argv("setsid", "setsid", "touch", mark),
    argv("stdbuf", "stdbuf", "-o0", "touch", mark),
    argv("ionice", "ionice", "-c3", "touch", mark),
    argv("flock", "flock", "/dev/null", "touch", mark),
    argv("sudo", "sudo", "-n", "touch", mark),
    argv("su", "su", "-c", touch),
    argv("script", "script", "-qc", touch, "/dev/null"),
    argv("setpriv", "setpriv", "--no-new-privs", "touch", mark),
    argv("prlimit's neighbour, taskset", "taskset", "1", "touch", mark),
    argv("unshare", "unshare", "touch", mark),
    argv("bubblewrap", "bwrap", "--dev-bind", "/", "/", "touch", mark),
    argv("sort with a compressor", "sort", `--compress-program=${evil}`, "-S1", "/usr/bin/git"),
    argv("split with a filter", "split", `--filter=${evil}`, evil),
    argv("run-parts", "run-parts", programs),
    argv("start-stop-daemon", "start-stop-daemon", "--start", "--exec", "/usr/bin/touch", "--", mark),
    argv("the loader itself", "ld.so", "/usr/bin/touch", mark),
    argv("make with a line", "make", `--eval=x:;${touch}`, "x"),
    argv("busybox", "busybox", "touch", mark),
    argv("an editor", "vi", "-c", `:!${touch}`, "-c", ":q"),
    argv("the line editor", "ed", evil),
    argv("rsync", "rsync", "-e", evil, "localhost:x", "."),
    argv("zip", "zip", "-T", "-TT", evil, `${mark}.zip`, evil),
    argv("a program by its path", "/usr/bin/touch", mark),
    argv("a path with one / more", "//usr/bin/touch", mark),
    argv("a path with ..", "/usr/bin/../bin/touch", mark),
    argv("a path that only looks like one", "∕usr∕bin∕touch", mark),
    argv("a name that only looks like one", "tоuch", mark),
    argv("a program of the project", evil),
    argv("a program of the project beside it", "./evil.sh"),
    argv("a program of the project by name", "evil.sh"),
    argv("a program above the project", "../project/evil.sh"),
    argv("a program of the home", "~/evil.sh"),
    argv("a program the project's variable leads to", `\${CLAUDE_PROJECT_DIR}/evil.sh`),
    argv("a file out of the plugin", `${own}/../../../../project/evil.sh`),
    argv("a file of the plugin that is not there", `${own}/evil.sh`),
    argv("a file of the plugin that cannot be executed", `${own}/plain.txt`),
    argv("the plugin's folder itself", own),
    argv("an option as a program", "-c", touch),
    argv("an assignment as a program", "PATH=.", "evil.sh"),
    argv("an argument with a line break", "cat", `x\n${touch}`),
    argv("an argument with a carriage return", "cat", `x\r${touch}`),
    argv("an argument that climbs", "cat", "../../etc/passwd"),
    argv("an argument that a shell would replace", "echo", `$(${touch})`),
    line("a second command", `cat; ${touch}`),
    line("a second command if the first succeeds", `cat && ${touch}`),
    line("a second command if the first fails", `false || ${touch}`),
    line("a command that is fed", `cat | xargs ${touch}`),
    line("a command in the background", `cat & ${touch}`),
    line("a command on the next line", `cat\n${touch}`),
    line("a command behind a remark", `cat #\n${touch}`),
    line("a command between backquotes", `echo \`${touch}\``),
    line("a command in brackets", `echo $(${touch})`),
    line("a command in a process", `cat <(${touch})`),
    line("a file written by the shell", `cat > ${mark}`),
    line("a variable before", `X=1 ${touch}`),
    line("eval", `eval ${touch}`),
    line("exec", `exec ${touch}`),
    line("a file that is sourced", `. ${evil}`),
    line("a function", `cat() { ${touch}; }; cat`),
    line("quotes that are glued", `"to"uch ${mark}`),
    line("a quote that does not end", `cat "; ${touch}`),
    line("a tab", `cat\t;${touch}`),
    line("a separator of Unicode's", `cat\u2028${touch}`),
    { what: "an argument more than listed", argv: ["touch", mark], isOnlyUnlisted: true },
    { what: "an argument fewer than listed", argv: ["git", "diff"], isOnlyUnlisted: true },
    { what: "another order than listed", argv: ["git", "--stat", "diff"], isOnlyUnlisted: true },
    { what: "a file of the plugin that is not listed", argv: [`${own}/unlisted.sh`], isOnlyUnlisted: true },
  ];
}
