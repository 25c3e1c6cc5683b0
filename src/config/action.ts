import { show } from "../base/show.ts";
import type { Field } from "./fields.ts";
import type { CommandAction, RequestAction } from "./hook-config.ts";
import { invalid } from "./node.ts";
import { pluginOf, type Reading } from "./reading.ts";
import { substitute } from "./variables.ts";

type Headers = Readonly<Record<string, string>>;

/** Nothing in it is replaced: a line belongs to the shell, and an argument is what was approved. */
export function programAction(
  reading: Reading,
  kind: CommandAction["kind"],
  line: string | null,
  argv: Field<readonly string[]> | undefined,
): CommandAction {
  if (argv?.value[0] === "") throw invalid(reading.file, argv.at, "args begins with no program");
  return { kind, argv: argv?.value ?? null, line, pluginRoot: pluginOf(reading)?.root ?? null };
}

export function requestAction(
  reading: Reading,
  kind: RequestAction["kind"],
  url: Field<string>,
  secret: Field<string> | undefined,
  headers: Field<Headers> | undefined,
  retry: number,
): RequestAction {
  return {
    kind,
    url: readUrl(reading, url),
    secret: secret === undefined ? null : substitute(reading, "secret", secret.value, secret.at),
    retry,
    headers: headers === undefined ? {} : readHeaders(reading, headers),
  };
}

function readUrl(reading: Reading, { value, at }: Field<string>): string {
  const url = substitute(reading, "url", value, at);
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  // URL drops line breaks and tabs without a word, and so changes where the request goes.
  if (!/^https?:$/.test(protocol) || /[\p{Cc}\s]/u.test(url)) {
    // As written: a variable may hold a token.
    throw invalid(reading.file, at, `url is ${show(value)}, expected an http or https address`);
  }
  return url;
}

function readHeaders(reading: Reading, { value: headers, at }: Field<Headers>): Headers {
  const read = Object.entries(headers).map(([name, text]): [string, string] => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw invalid(reading.file, at, `header ${show(name)} is not a header's name`);
    }
    const value = substitute(reading, `header ${name}`, text, at);
    // A line break would begin another header.
    if (/[\p{Cc}]/u.test(value.replaceAll("\t", " "))) {
      throw invalid(reading.file, at, `header ${name} has a line break or control character`);
    }
    return [name, value];
  });
  return Object.fromEntries(read);
}
