import { named, type Programs } from "./program.ts";

/**
 * Programs that can be told to run others by an argument or by a file beside them, or that do so for a living, and which
 * rules do not follow.
 */
export const others: Programs = {
  ...named(
    `ansible apt apt-get bazel bpftrace bwrap cargo ccache cmake code cpio dnf docker dpkg editor emacs expect flatpak
    gcc go gradle gvim helm ip java kubectl man modprobe more mount mvn nano nc ncat newgrp nmap openssl pager
    pip podman pyenv rake rpm run-parts runcon rvim scp sftp snap socat sort split sshpass start-stop-daemon systemctl
    telnet vimdiff visudo wget wsl xdg-open xterm yum zip`,
    {},
  ),
};
