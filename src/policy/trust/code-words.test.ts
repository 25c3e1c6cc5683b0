import assert from "node:assert/strict";
import { test } from "node:test";
import { codeWords } from "./code-words.ts";

/** A command as words; `$` is one only the shell knows. What is run of it, by its written form. */
const cases: readonly (readonly [command: string, code: string])[] = [
  ["./a.sh --fast ./data", "./a.sh"],
  ["hooks/a.sh", "hooks/a.sh"],
  ["a.sh", ""], // looked for in PATH
  ["sh a.sh b.sh", "a.sh"],
  ["/bin/bash -eu -o pipefail ./a.sh ./b", "/bin/bash ./a.sh"],
  ["bash -lc ./a.sh", ""],
  ["sh -s ./a.sh", ""],
  [
    "node --import ./setup.mjs -r dotenv/config --loader=./l.mjs hook.mjs ./data.json",
    "./setup.mjs --loader=./l.mjs hook.mjs",
  ],
  ["node -e 1 ./a.js", ""],
  ["python3.12 -X dev ./a.py b", "./a.py"],
  ["python -m http.server", ""],
  ["python -m runpy ./a.py", ""],
  ["perl -Mfeature=say -w a.pl", "a.pl"],
  ["perl -ne print a.txt", ""],
  ["ruby -r ./lib.rb a.rb", "./lib.rb a.rb"],
  ["deno run -A ./a.ts", "./a.ts"],
  ["bun run lint", ""],
  [". ./lib.sh", "./lib.sh"],
  ["awk -f ./a.awk data", "./a.awk"],
  ["sed -n -e p file", ""],
  ["jq -f f.jq in.json", "f.jq"],
  ["env A=1 -u B node a.js", "a.js"],
  ["timeout -k 1 5 ./a.sh", "./a.sh"],
  ["nice -n 5 sh ./a.sh", "./a.sh"],
  ["npx --yes tsx hooks/a.ts", "hooks/a.ts"],
  ["uv run hook.py", "hook.py"],
  ["bundle exec ruby a.rb", "a.rb"],
  ["npm run lint", ""],
  ["exec ./a.sh", "./a.sh"],
  ["bash -eo pipefail ./a.sh", "./a.sh"],
  ["pwsh -ExecutionPolicy Bypass -File ./a.ps1", "./a.ps1"],
  ["pwsh -Command ./a.ps1", ""],
  ["deno run -c deno.json a.ts", "a.ts"],
  ["busybox sh a.sh", "a.sh"],
  ["strace -f ./a.sh", "./a.sh"],
  ["xargs -n 1 sh a.sh", "a.sh"],
  ["chroot /x ./a.sh", ""],
  ["npx -c ./a.sh", ""],
  ["python3 -", ""],
  ["perl -xe a.pl", "a.pl"],
  ["make -f ./a.mk all", "./a.mk"],
  ["ruby -r./lib.rb a.rb", "-r./lib.rb a.rb"],
  ["php -f a.php", "a.php"],
  ["bash --rcfile a.rc -i", "a.rc"],
  // About a file's name, not what is in it: redirected, these guards would never match again.
  ["grep -q config/deploy.sh", ""],
  ["grep -qF ./a.sh", ""],
  ["test -x ./a.sh", ""],
  ["cat ./a.sh", ""],
  ["$ ./a.sh", ""],
  ["sh $ ./a.sh", ""],
  ["", ""],
];

for (const [command, code] of cases) {
  test(`of ${JSON.stringify(command)} runs ${code === "" ? "no file" : code}`, () => {
    const words = command.split(" ").map((word) => (word === "$" ? null : word));
    const found = codeWords(words).map(({ index, prefix, path }) => {
      assert.equal(words[index], `${prefix}${path}`);
      return words[index];
    });
    assert.equal(found.join(" "), code);
  });
}
