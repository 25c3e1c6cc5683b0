const header =
  /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$|^(?:\+\+\+|---|rename (?:from|to)) (?:[ab]\/)?([^\t\n]+)|^diff --git a\/\S+ b\/(\S+)/gm;

/** The files of a patch among the arguments: of Codex's kind, or a unified diff. */
export function patchedFiles(input: Readonly<Record<string, unknown>>): string[] {
  const patches = ["command", "input", "patch", "diff"].flatMap((name) => input[name]);
  return patches.filter((text) => typeof text === "string").flatMap(filesInPatch);
}

export function filesInPatch(text: string): string[] {
  return [...text.matchAll(header)]
    .map(([, file, moved, diffed, named]) => (file ?? moved ?? diffed ?? named ?? "").trim())
    .filter((file) => file !== "" && file !== "/dev/null");
}
