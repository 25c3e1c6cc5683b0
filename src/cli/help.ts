import { suggest } from "../base/suggest.ts";
import { type Command, helpOf, usage } from "./command.ts";
import { definitions, screenColumns } from "./definitions.ts";
import { style } from "./style.ts";
import { wrapWords } from "./wrap-words.ts";

type Commands = Readonly<Record<string, Command>>;

interface Topic {
  readonly about: string;
  /** First words of its commands. */
  readonly words: readonly string[];
}

/** Every command belongs to one of them by its first word. */
export const topics: Readonly<Record<string, Topic>> = {
  guard: {
    about: "guard coding agents, and see that they obey",
    words: [
      "init",
      "try",
      "status",
      "doctor",
      "verify",
      "install",
      "uninstall",
      "scan",
      "statusline",
      "hook",
    ],
  },
  rules: { about: "what may run, and who is asked", words: ["check", "policy", "approvals", "trust"] },
  hooks: {
    about: "programs that judge and watch events",
    words: ["hooks", "events", "emit", "plugins", "flags"],
  },
  record: { about: "what happened, and proof of it", words: ["logs", "audit", "webhooks"] },
  work: {
    about: "jobs, runs over records, models, tasks and agents of a swarm",
    words: ["cron", "batch", "pipelines", "models", "drift", "baselines", "task", "agents", "mail", "mcp"],
  },
  daemon: {
    about: "the process that serves all of it",
    words: ["up", "stop", "service", "dashboard", "login", "tokens", "completion"],
  },
};

/** What a new user needs, in this order. */
export const firstCommands = [
  "init",
  "status",
  "check",
  "verify",
  "doctor",
  "logs",
  "approvals list",
  "scan",
  "dashboard",
  "hooks new",
] as const;

/** Columns of help where it does not go to a terminal. */
const usualColumns = 100;

export function overview(commands: Commands, columns = screenColumns() ?? usualColumns): string {
  return [
    "swarm: guards, a record and operations for AI agents",
    "",
    "Usage: swarm <command> [options]",
    "",
    style("bold", "First commands"),
    ...summaries(commands, firstCommands, columns),
    "",
    style("bold", "All commands, by topic: swarm help <topic>"),
    ...definitions(
      Object.entries(topics).map(([name, { about, words }]) => [name, `${about}: ${words.join(", ")}`]),
      columns,
    ),
    "",
    ...definitions(
      [
        ["--version", "print the version"],
        ["--help", "print this, or after a command its own help"],
      ],
      columns,
    ),
    "",
    ...wrapWords(
      "Exit codes: 0 done, 64 bad usage, 65 bad data, 70 a fault of ours, 75 try again later.",
      columns,
    ),
    "",
    "Examples:",
    "  swarm init",
    '  swarm check "git push -f"',
    "  swarm help hooks",
    "",
  ].join("\n");
}

/** `swarm help check`, `swarm help policy`, `swarm help rules`. */
export function helpFor(commands: Commands, words: readonly string[]): string {
  const name = words.join(" ");
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return helpOf(name, command);
  const [word = ""] = words;
  const topic = Object.hasOwn(topics, word) ? topics[word] : undefined;
  // `hooks` is both: the topic has the group's commands first.
  if (words.length === 1 && topic !== undefined) return topicHelp(commands, word, topic);
  if (words.length === 1 && isGroup(commands, word)) return groupHelp(commands, word);
  const groups = Object.values(topics).flatMap((its) => its.words);
  const near = suggest(name, [...Object.keys(commands), ...Object.keys(topics), ...groups]);
  const hint = near === undefined ? "see swarm --help" : `did you mean swarm help ${near}?`;
  throw usage("help", `there is no command and no topic ${JSON.stringify(name.slice(0, 60))}`, hint);
}

export function isGroup(commands: Commands, word: string): boolean {
  return Object.keys(commands).some((name) => name.startsWith(`${word} `));
}

/** Of the commands that share their first word. */
export function groupHelp(
  commands: Commands,
  group: string,
  columns = screenColumns() ?? usualColumns,
): string {
  const shown = Object.keys(commands).filter((name) => name.startsWith(`${group} `));
  return [
    `Usage: swarm ${group} <command> [options]`,
    "",
    ...summaries(commands, shown, columns),
    "",
    "Examples:",
    ...shown.map((name) => `  swarm ${name} --help`),
    "",
  ].join("\n");
}

function topicHelp(commands: Commands, name: string, { about, words }: Topic): string {
  const shown = Object.keys(commands)
    .filter((command) => words.includes(command.split(" ")[0] ?? ""))
    .toSorted((a, b) => words.indexOf(a.split(" ")[0] ?? "") - words.indexOf(b.split(" ")[0] ?? ""));
  return [
    `${name}: ${about}`,
    "",
    ...summaries(commands, shown, screenColumns() ?? usualColumns),
    "",
    "Examples:",
    ...shown.slice(0, 3).map((command) => `  ${commands[command]?.examples[0] ?? `swarm ${command}`}`),
    "",
  ].join("\n");
}

function summaries(commands: Commands, shown: readonly string[], columns: number): string[] {
  return definitions(
    shown.map((name) => [name, commands[name]?.summary ?? ""]),
    columns,
  );
}
