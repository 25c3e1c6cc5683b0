import type { Runtime } from "../../daemon/runtime/runtime.ts";
import type { Finding } from "./finding.ts";

const about = "approvals";

/** Whether only a person can approve, and whether that person can. */
export async function examineApprovers({ approvers }: Runtime): Promise<Finding[]> {
  const { keys, isDamaged } = await approvers.history();
  if (isDamaged) {
    const finding =
      "the rows of the approvers in the record are damaged, nothing is approved: see swarm audit verify";
    return [{ level: "broken", about, finding }];
  }
  const isRequired = await approvers.isRequired();
  if (isRequired && keys.length === 0) {
    const finding =
      "they take a person's key and there is none, so nothing can be approved: run swarm approvals key add";
    return [{ level: "broken", about, finding }];
  }
  const names = keys.map(({ name, kind }) => `${name} (${kind})`).join(", ");
  if (!isRequired) {
    const first = keys.length === 0 ? "run swarm approvals key add, then put" : `there is ${names}; put`;
    const finding = `whatever holds an operator's token can approve, an agent that found it too: ${first} approvals: {require: person} into config.yaml`;
    return [{ level: "note", about, finding }];
  }
  return [
    { level: "ok", about, finding: `they take a person's key: ${names}` },
    ...(keys.length > 1
      ? []
      : [
          {
            level: "note",
            about,
            finding: "there is one key, and no way to approve without it: add a second",
          } as const,
        ]),
  ];
}
