import fc from "fast-check";

/** Settings files as people and programs write them: any content, in any style a parser takes. */
export function settingsTexts(natives: readonly string[], lists: "groups" | "hooks"): fc.Arbitrary<string> {
  const values = settingsValues(natives, lists);
  const styled = fc
    .tuple(
      values,
      fc.constantFrom(0, 2, 4, "\t", " "),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([value, indent, eol, endsWithEol, hasMark]) => {
      const text = JSON.stringify(value, null, indent).replaceAll("\n", eol);
      return `${hasMark ? "\ufeff" : ""}${text}${endsWithEol ? eol : ""}`;
    });
  const scattered = fc
    .tuple(values, fc.array(trivia, { minLength: 1, maxLength: 12 }), fc.boolean())
    .map(([value, between, hasTrailingCommas]) => scatter(value, between, hasTrailingCommas));
  return fc.oneof(fc.constantFrom(...special(natives)), styled, scattered);
}

const special = ([native = "", other = native]: readonly string[]) => [
  "",
  "\n",
  "  \n\n",
  "\ufeff",
  "{}",
  "{}\n",
  "{ }",
  "{\n}",
  "{\r\n}\r\n",
  "{ \n }",
  "  {}",
  "\n{}\n\n",
  "// nothing yet",
  "// nothing yet\n",
  "/* nothing yet */ {}",
  "{ // nothing yet\n}",
  '{"hooks":{}}',
  '{ "hooks": { } }',
  '{\n  "hooks": {\n  }\n}\n',
  '{"version":1}',
  '{"version":1,"hooks":{}}',
  '{"hooks":{},"version":1}\n',
  `{"hooks":{"${native}":[],"${other}":[ ]}}`,
  `{\n\t"hooks": {\n\t\t"${native}": [\n\t\t]\n\t}\n}`,
  `{"a":1,"hooks":{"${other}":[{"hooks":[]}]},}`,
  `{"hooks":{},"hooks":{"${other}":[]}}`,
  '{\n  "model": "x" // mine\n  // and a word\n}\n',
];

const trivia = fc.constantFrom("", "", " ", "\n", "\r\n", "\t", "\n    ", " /* why */ ", " // why\n", "\n\n");

function settingsValues(natives: readonly string[], lists: "groups" | "hooks"): fc.Arbitrary<object> {
  const matcher = fc.constantFrom("*", "", "Bash|Edit");
  const hook = fc.constantFrom<object>(
    { type: "command", command: "./check.sh --all" },
    { type: "command", command: "node", args: ["check.js"], timeout: 5 },
    { type: "prompt", prompt: "Is this right?" },
    { type: "command", command: "echo $HOME | swarm-hook" },
  );
  const group = fc.record({ matcher, hooks: fc.array(hook, { maxLength: 2 }) }, { requiredKeys: ["hooks"] });
  const single = fc
    .tuple(hook, fc.option(matcher))
    .map(([own, its]) => (its === null ? own : { matcher: its, ...own }));
  const hooks = fc.dictionary(
    fc.constantFrom(...natives.slice(0, 4), "Other"),
    fc.array(lists === "groups" ? group : single, { maxLength: 2 }),
    {
      noNullPrototype: true,
    },
  );
  return fc
    .record({
      hooks: fc.option(hooks),
      rest: fc.array(fc.constantFrom("model", "env", "permissions")),
      first: fc.boolean(),
    })
    .map(({ hooks: own, rest, first }) => {
      const before = Object.fromEntries(
        rest.map((key) => [key, { allow: ["Bash(ls)", '{"x": [}'], deny: [] }]),
      );
      if (own === null) return before;
      return first ? { hooks: own, ...before } : { ...before, hooks: own };
    });
}

/** The value with blanks and comments wherever there may be some. */
function scatter(value: unknown, between: readonly string[], hasTrailingCommas: boolean): string {
  let at = 0;
  const gap = (): string => between[at++ % between.length] ?? "";
  const print = (item: unknown): string => {
    if (typeof item !== "object" || item === null) return JSON.stringify(item);
    const isList = Array.isArray(item);
    const parts = isList
      ? item.map((child) => `${gap()}${print(child)}${gap()}`)
      : Object.entries(item).map(
          ([key, child]) => `${gap()}${JSON.stringify(key)}${gap()}:${gap()}${print(child)}${gap()}`,
        );
    const inside = parts.length === 0 ? gap() : `${parts.join(",")}${hasTrailingCommas ? `,${gap()}` : ""}`;
    return isList ? `[${inside}]` : `{${inside}}`;
  };
  return `${gap()}${print(value)}${gap()}`;
}
