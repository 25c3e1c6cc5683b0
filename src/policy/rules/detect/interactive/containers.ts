import { programName, type ShellCommand } from "../../../shell/command.ts";
import { givenOptions, type ValuedOptions } from "./given-options.ts";

const docker: ValuedOptions = {
  short: "eupvwlhmcaf",
  long: [
    ...[
      "env",
      "user",
      "publish",
      "volume",
      "workdir",
      "label",
      "hostname",
      "memory",
      "cpus",
      "name",
      "network",
      "mount",
    ],
    ...[
      "entrypoint",
      "env-file",
      "add-host",
      "platform",
      "pull",
      "restart",
      "runtime",
      "gpus",
      "device",
      "tmpfs",
    ],
    ...[
      "detach-keys",
      "index",
      "profile",
      "project-name",
      "file",
      "project-directory",
      "context",
      "host",
      "ip",
      "dns",
    ],
    ...[
      "cap-add",
      "cap-drop",
      "security-opt",
      "ulimit",
      "shm-size",
      "pid",
      "ipc",
      "userns",
      "log-driver",
      "log-opt",
    ],
  ],
};

const kubectl: ValuedOptions = {
  short: "ncfls",
  long: [
    ...[
      "namespace",
      "container",
      "context",
      "kubeconfig",
      "cluster",
      "user",
      "image",
      "filename",
      "overrides",
      "target",
    ],
    ...["restart", "env", "labels", "port", "profile", "server", "token", "pod-running-timeout", "copy-to"],
  ],
};

const engines = new Set(["docker", "podman", "nerdctl", "docker-compose", "podman-compose", "lxc", "incus"]);
const clusters = new Set(["kubectl", "oc", "k3s", "microk8s", "kubecolor"]);

/**
 * The command that is started in a container with this terminal as its input: null when there is none, empty when the
 * container's own is.
 */
export function commandInContainer({ program, args }: ShellCommand): readonly string[] | null {
  if (engines.has(program)) return inEngine(args, program);
  if (clusters.has(program)) return inCluster(args);
  if (program === "heroku" || program === "fly" || program === "flyctl") return inService(args);
  return null;
}

function inEngine(args: readonly string[], program: string): readonly string[] | null {
  const at = args.findIndex((arg) => /^(?:run|exec|attach|start|shell|console)$/.test(arg));
  if (at === -1) return null;
  const verb = args[at] as string;
  if (verb === "shell" || verb === "console" || verb === "attach") return [];
  if (verb === "start") return args.some((arg) => /^-[a-z]*i|^--interactive/.test(arg)) ? [] : null;
  const own = withoutCommand(args.slice(at + 1), docker, 1);
  // Of compose services the terminal is the input unless it is said otherwise.
  const isCompose = program.endsWith("compose") || args.slice(0, at).includes("compose");
  const isAttached =
    own.has("i") || own.has("interactive") || program === "lxc" || program === "incus" || isCompose;
  if (!isAttached || own.has("d") || own.has("detach")) return null;
  const entry = own.get("entrypoint");
  const rest = own.rest.slice(own.rest[0] === "--" ? 1 : 0);
  return entry === undefined || entry === "" ? rest : [entry, ...rest];
}

function inCluster(args: readonly string[]): readonly string[] | null {
  const at = args.findIndex((arg) => /^(?:exec|run|attach|debug|rsh)$/.test(arg));
  if (at === -1) return null;
  const verb = args[at];
  const end = args.indexOf("--");
  const { options, operands } = givenOptions(
    end === -1 ? args.slice(at + 1) : args.slice(at + 1, end),
    kubectl,
  );
  const isAttached = options.has("i") || options.has("stdin") || verb === "rsh";
  if (!isAttached) return null;
  return end === -1 ? operands.slice(1) : args.slice(end + 1);
}

function inService(args: readonly string[]): readonly string[] | null {
  if (args[0] === "run") return args.slice(1).filter((arg) => !arg.startsWith("-"));
  if (args[0] === "ssh") return args.some((arg) => /^(?:-C|--command)/.test(arg)) ? null : [];
  return null;
}

/** Options up to the image or container; what follows that is the command's own. */
function withoutCommand(args: readonly string[], valued: ValuedOptions, before: number) {
  for (let end = 1; end <= args.length; end++) {
    const { options, operands } = givenOptions(args.slice(0, end), valued);
    // The value of an option may be the next word.
    if (operands.length > before - 1 && args[end - 1] === operands.at(-1)) {
      return {
        has: (name: string) => options.has(name),
        get: (name: string) => options.get(name),
        rest: args.slice(end),
      };
    }
  }
  const { options } = givenOptions(args, valued);
  return {
    has: (name: string) => options.has(name),
    get: (name: string) => options.get(name),
    rest: [] as readonly string[],
  };
}

/** The same command as if it were started here. */
export function asStartedHere(command: ShellCommand, words: readonly string[]): ShellCommand {
  const [path = "", ...args] = words;
  return { ...command, program: programName(path), path, args, assignments: [], code: null };
}
