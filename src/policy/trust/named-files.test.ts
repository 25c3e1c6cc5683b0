// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of shells.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandAction, HookConfig } from "../../config/hook-config.ts";
import { namedFiles, redirect } from "./named-files.ts";

const hook = { source: { file: "/p/swarm.yaml" } } as HookConfig;
const action = (line: string) => ({ argv: null, line }) as CommandAction;

/** The files that a hook's line runs, in the order they stand; `?` after them if that is not all. */
function run(line: string): string {
  const { files, isUnread } = namedFiles(hook, action(line));
  const code = files.filter(({ isCode }) => isCode).toSorted((a, b) => startOf(a.at) - startOf(b.at));
  return [...code.map(({ path }) => path), ...(isUnread ? ["?"] : [])].join(" ");
}

function startOf(at: number | { readonly start: number }): number {
  return typeof at === "number" ? at : at.start;
}

const cases: Readonly<Record<string, string>> = {
  "./a.sh && hooks/b.sh": "/p/a.sh /p/hooks/b.sh",
  "cd hooks && ./a.sh; cd ..; ./b.sh": "/p/hooks/a.sh /p/b.sh",
  "(cd a; ./x); (./b)": "/p/a/x /p/b",
  "cd a | ./b; ./c": "/p/b /p/c",
  "cd a & ./b": "/p/b",
  "{ cd a; }; ./b": "/p/a/b",
  "cd $HOME; ./a.sh": "?",
  "cd $HOME; cat x": "",
  "env -C sub ./a.sh": "/p/sub/a.sh",
  "env -C sub sudo -D ../c ./a.sh": "/p/c/a.sh",
  "env -C $x ./a.sh": "?",
  "sudo --chdir=/o ./a.sh": "/o/a.sh",
  'echo "$(./a.sh)" "${x}$(cd b; ./c.sh)"': "/p/a.sh /p/b/c.sh",
  "x=$(./a.sh) ./b.sh > $(./c.sh)": "/p/a.sh /p/b.sh /p/c.sh",
  "if ./a.sh; then exec ./b.sh; else ./c.sh; fi": "/p/a.sh /p/b.sh /p/c.sh",
  "for f in ./x ./y; do ./a.sh $f; done": "/p/a.sh",
  "while ! ./a.sh; do time ./b.sh; done": "/p/a.sh /p/b.sh",
  "f() { ./a.sh; }; f": "/p/a.sh",
  "A=1 timeout -k 1 5 ./a.sh": "/p/a.sh",
  "[[ -f ./x && ./a.sh ]]": "/p/a.sh",
  "'./it is.sh'; \"$CLAUDE_PROJECT_DIR\"/x.sh": "/p/it is.sh /p/x.sh",
  "alias a=case; ./b.sh": "?",
  "x=(./a.sh); ./b.sh": "?",
  "./a.sh; `./b.sh`": "?",
};

for (const [line, expected] of Object.entries(cases)) {
  test(`${JSON.stringify(line)} runs ${expected || "no file"}`, () => assert.equal(run(line), expected));
}

test("what is replaced is the very word, whatever stands around it", () => {
  for (const [line, expected] of [
    ["x='./a.sh' \"./a.sh\" >o|./b.sh -n", "x='./a.sh' '/kept/p/a.sh' >o|'/kept/p/b.sh' -n"],
    [
      "node --import=./s.mjs -r./t.js h.mjs",
      "node '--import=/kept/p/s.mjs' '-r/kept/p/t.js' '/kept/p/h.mjs'",
    ],
    ["node -r ./t.js h.mjs # ./t.js", "node -r '/kept/p/t.js' '/kept/p/h.mjs' # ./t.js"],
    ['echo "$(./a.sh)x"', "echo \"$('/kept/p/a.sh')x\""],
  ] as const) {
    const { files } = namedFiles(hook, action(line));
    const code = files.filter(({ isCode }) => isCode);
    assert.equal(redirect(action(line), code, ({ path }) => `/kept${path}`).line, expected);
  }
});
