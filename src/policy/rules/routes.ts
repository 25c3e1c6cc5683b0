import { invalidOption } from "../../base/invalid-option.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { string } from "../../daemon/rest/shapes.ts";
import { checkFolder } from "../../daemon/rest/values.ts";
import { flag, required, text } from "../../engine/events/schema.ts";
import { allowCall } from "./allow-call.ts";

const defaultDays = 7;

/** Exceptions from permission rules. */
export const policyRoutes = {
  allowCall: route({
    method: "POST",
    path: "/api/v1/policy/exceptions",
    summary:
      "Write the narrowest exception by which a call is no longer refused into the user's file; recorded",
    role: "admin",
    body: {
      run: text("Id of the row of the call; else `command`."),
      command: text("The shell line; else `run`."),
      cwd: text("Folder of the command; default the daemon's."),
      until: text("Up to when, as 2026-12-31T12:00:00Z; default seven days from now."),
      reason: required(text("Why, for whoever reads the file.")),
      trial: flag("True: nothing is written, the answer is what would be."),
    },
    response: closed({
      file: string,
      exceptions: { type: "array", items: { type: "object" }, description: "As they stand in the file." },
    }),
    async handle({ runtime, actor }, { body: { run, command, cwd, until, reason, trial } }) {
      checkFolder("body", cwd);
      if ((run === undefined) === (command === undefined))
        throw invalidOption("body", "run or command", "exactly one of them", undefined);
      const allowing = {
        home: runtime.home,
        store: runtime.store,
        audit: runtime.audit,
        projectOf: async (folder: string | undefined) => runtime.projects.refresh(folder),
        isPersonRequired: () => runtime.approvers.isRequired(),
      };
      const call = run === undefined ? { command: command ?? "", cwd } : { run };
      const { file, exceptions } = await allowCall(allowing, call, {
        until: timeOf(until),
        reason,
        actor,
        isTrial: trial === true,
      });
      return { file, exceptions: [...exceptions] };
    },
  }),
};

function timeOf(until: string | undefined): string {
  const timeMs = until === undefined ? Date.now() + defaultDays * 86_400_000 : Date.parse(until);
  if (!Number.isNaN(timeMs) && timeMs > Date.now()) return new Date(timeMs).toISOString();
  throw invalidOption("body", "until", "a time to come, as 2026-12-31T12:00:00Z", until);
}
