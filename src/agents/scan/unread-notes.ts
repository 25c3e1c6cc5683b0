import type { ScanReport } from "./report.ts";
import { numbered } from "./summary.ts";

/** What is not in the numbers of a report, a sentence each: nothing is left out without a word. */
export function unreadNotes({ unread, not_listed, older_files }: ScanReport): string[] {
  const { long_lines, broken_lines, unjudged_calls, not_files, files, files_not_listed } = unread;
  const notes = [
    older_files > 0 && `${numbered(older_files, "transcript")} last written before this period`,
    not_listed > 0 && `${numbered(not_listed, "finding")} counted, but too many to be listed`,
    long_lines > 0 && `${numbered(long_lines, "line")} longer than 4 MB, or of too many values, passed over`,
    broken_lines > 0 && `${numbered(broken_lines, "line")} that cannot be read as JSON passed over`,
    unjudged_calls > 0 && `${numbered(unjudged_calls, "call")} too large or too deep to be judged`,
    not_files > 0 && `links or special files in a transcript's place, not followed: ${not_files}`,
    ...files.map(({ file, problem }) => `not read: ${file}: ${problem}`),
    files_not_listed > 0 && `not read: ${numbered(files_not_listed, "more file")}`,
  ];
  return notes.filter((note) => note !== false);
}
