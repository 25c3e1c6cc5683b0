import type { Command } from "./command.ts";
import { usage } from "./command.ts";
import { json } from "./json.ts";

/** Completion scripts made from the table of commands. */
export function completionCommand(commands: () => Readonly<Record<string, Command>>): Command {
  return {
    summary: "print a completion script for bash, zsh or fish",
    positionals: ["SHELL"],
    examples: [
      "source <(swarm completion bash)",
      "swarm completion fish > ~/.config/fish/completions/swarm.fish",
    ],
    run({ positionals: [shell = ""], isJson }) {
      const make = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (make === undefined) {
        const problem = `${JSON.stringify(shell)} is no shell it knows, expected bash, zsh or fish`;
        throw usage("completion", problem);
      }
      const script = make(commands());
      return isJson ? json({ shell, script }) : script;
    },
  };
}

const scripts: Readonly<Record<string, (commands: Readonly<Record<string, Command>>) => string>> = {
  bash,
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`,
  fish,
};

function optionsOf({ options = {}, flags = {} }: Command): string[] {
  return [...Object.keys(options), ...Object.keys(flags), "json", "help"].map((option) => `--${option}`);
}

function bash(commands: Readonly<Record<string, Command>>): string {
  const firstWords = [...new Set(Object.keys(commands).map((name) => name.split(" ")[0]))].join(" ");
  const cases = Object.entries(commands).map(
    ([name, command]) => `    "${name}") words="${optionsOf(command).join(" ")}" ;;`,
  );
  const seconds = secondWords(commands).map(
    ([first, words]) => `    ${first}) words="${words.join(" ")}" ;;`,
  );
  return `_swarm() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${seconds.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 2 ] && [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}\${words:+ \${COMP_WORDS[2]}}" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _swarm swarm
`;
}

function fish(commands: Readonly<Record<string, Command>>): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
  const lines = Object.entries(commands).flatMap(([name, command]) => {
    const [first = "", second] = name.split(" ");
    const here =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const word =
      second === undefined
        ? `complete -c swarm -n __fish_use_subcommand -a ${first} -d ${quoted(command.summary)}`
        : `complete -c swarm -n ${quoted(`__fish_seen_subcommand_from ${first}`)} -a ${second} -d ${quoted(command.summary)}`;
    return [
      word,
      ...optionsOf(command).map((option) => `complete -c swarm -n ${quoted(here)} -l ${option.slice(2)}`),
    ];
  });
  const groups = secondWords(commands).map(
    ([first]) => `complete -c swarm -n __fish_use_subcommand -a ${first}`,
  );
  return `complete -c swarm -f\n${[...groups, ...lines].join("\n")}\n`;
}

function secondWords(commands: Readonly<Record<string, Command>>): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const name of Object.keys(commands)) {
    const [first = "", second] = name.split(" ");
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second]);
  }
  return [...groups];
}
