/** What an approval is about, in one text: the command, the file, or whatever else was given. */
export function askedText(subject: object): string {
  const { input } = subject as { input?: Record<string, unknown> };
  const { command, cmd, file_path, path } = input ?? {};
  const what = command ?? cmd ?? file_path ?? path ?? input ?? "";
  return typeof what === "string" ? what : JSON.stringify(what);
}
