import type { Log } from "../base/log.ts";
import { RotatingFile } from "../base/rotating-file.ts";
import { maskSecrets } from "../base/secrets/mask.ts";
import { oneLine } from "../base/show.ts";
import { jsonLine } from "./json.ts";

/** Lines with time and level, in a file that is rotated, or on stderr where none is named. */
export function logTo(file: string | undefined): Required<Log> {
  let log: RotatingFile | undefined;
  const write = (level: string, message: string, fields: unknown): void => {
    // Whoever writes a line masks what it knows to be secret; here nothing is left that looks like one.
    const line = maskSecrets(`${new Date().toISOString()} ${level} ${oneLine(message)} ${jsonLine(fields)}`);
    if (file === undefined) process.stderr.write(line);
    else {
      // Opened with the first line: most processes have none to write.
      log ??= new RotatingFile(file);
      log.append(line);
    }
  };
  return {
    warn: (message, fields) => write("warn", message, fields),
    info: (message, fields) => write("info", message, fields),
    debug: (message, fields) => write("debug", message, fields),
  };
}
