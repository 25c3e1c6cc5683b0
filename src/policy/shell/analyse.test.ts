// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of shells.
import assert from "node:assert/strict";
import { beforeEach, suite, test } from "node:test";
import fc from "fast-check";
import { analyseArgv, analyseShell } from "./analyse.ts";
import { Budget, stepsPerLine } from "./interpret/budget.ts";
import { shown } from "./marks.ts";

const place = { cwd: "/srv/project", home: "/home/user", isFolder: () => false };

/** Every command of a line as its words; what is not known is shown as `…`. */
function commands(line: string): string[] {
  return analyseShell(line, place)
    .commands.filter(({ path }) => path !== "")
    .map(({ path, args }) => shown([path, ...args].join(" ")));
}

/** Lines that come to one command in the end. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  "git push -f": [
    "git push -f",
    "  git\tpush   -f ",
    "'git' \"push\" -\\f",
    'g""it pu\\sh "-f"',
    "git push \\\n -f",
    "git push -f # not -n",
    "git push -f &",
    "git push -f 2>&1 >/dev/null",
    ">log git push -f",
    "! git push -f",
    "{ git push -f; }",
    "(git push -f)",
    "$'git' $'\\x70ush' $'\\055f'",
    "git${IFS}push${IFS}-f",
    "{git,push,-f}",
    "git push ${UNSET:--f}",
  ],
};

suite("a line's commands", () => {
  for (const [expected, lines] of Object.entries(spellings)) {
    for (const line of lines) {
      test(`${JSON.stringify(line)} runs ${expected}`, () => {
        assert.equal(commands(line)[0], expected);
      });
    }
  }

  const lists: readonly (readonly [line: string, expected: readonly string[]])[] = [
    ["a; b & c && d || e\nf", ["a", "b", "c", "d", "e", "f"]],
    ["a | b |& c", ["a", "b", "c"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    // Rounds that are not counted are two.
    ["while a; do b; done; until c; do d; done", ["a", "b", "a", "b", "c", "d", "c", "d"]],
    ["for x in b c b; do a $x; done", ["a b", "a c", "a b"]],
    ["for x in {1..99}; do a $x; done", ["a 1", "a 2", "a 2"]],
    ["for x in 1; do a $x; done", ["a 1"]],
    ["for ((i=0; i<3; i++)); do a; done", ["a", "a"]],
    ["case $x in a|b) c;; (*) d;; esac", ["c", "d"]],
    ["[[ -f a && $b == c ]] && d", ["d"]],
    ["((a + 1)); b $((1 + 2))", ["b …"]],
    ["a $(b $(c))", ["c", "b …", "a …"]],
    ["a `b \\`c\\``", ["c", "b …", "a …"]],
    ['a "$(b)"', ["b", "a …"]],
    ["a <(b) >(c)", ["b", "a /dev/fd/63 /dev/fd/63", "c"]],
    ['f() { a "$1"; }; f x', ["a x", "f x"]],
    ["function f { a; }; f", ["a", "f"]],
    ["alias x='a b'; x c", ["alias x=a b", "a b c", "x c"]],
    ["x=1 y=2 a", ["a"]],
    ["arr=(a $(b)); c", ["b", "c"]],
    ["declare -a x=(1 2); c", ["declare -a x= 1 2", "c"]],
    ["a <<EOF\n$(b)\nEOF\nc", ["b", "a", "c"]],
    ["a <<'EOF'\n$(b)\nEOF\nc", ["a", "c"]],
    ["a <<-EOF\n\tx\n\tEOF\nc", ["a", "c"]],
    ["a <<A <<B\nx\nA\ny\nB\nc", ["a", "c"]],
    ["cd src && a", ["cd src", "a"]],
    ["x=$(cat <<'EOF'\na (b)\nEOF\n); c", ["cat", "c"]],
    ["coproc a", ["a"]],
    ["", []],
    ["# nothing", []],
  ];
  for (const [line, expected] of lists) {
    test(`${JSON.stringify(line)} is followed through`, () => {
      const { opaque } = analyseShell(line, place);
      assert.deepEqual([commands(line), opaque], [expected, []]);
    });
  }
});

suite("variables", () => {
  const known: readonly (readonly [line: string, last: string])[] = [
    ['x=1; a $x ${x} "$x"2', "a 1 1 12"],
    ["x='b c'; a $x \"$x\"", "a b c b c"],
    ["x=abcdef; a ${x:1:2} ${x#ab} ${x%ef} ${x/bc/X} ${x^^}", "a bc cdef abcd aXdef ABCDEF"],
    [
      'a ~ ~/x $HOME "${HOME}/y" --f=~/z',
      "a /home/user /home/user/x /home/user /home/user/y --f=/home/user/z",
    ],
    ["cd /tmp && a $PWD", "a /tmp"],
    ["IFS=,; x=b,c; a $x", "a b c"],
    ["IFS=, x=1 true; x='b c'; a $x", "a b c"],
    ["x=1 true; a $x", "a …"],
    ["x=b; unset x; a $x", "a …"],
    ["a $(pwd)/x", "a /srv/project/x"],
    ["env -C /x a; b", "b"],
    ["a $1 $@ x", "a x"],
    ['set -- 1 2; a "$@" $2', "a 1 2 2"],
    ["x=1; x=1; a $x", "a 1"],
    ["a $x", "a …"],
    ["x=1; x=2; a $x", "a 2"],
    ["x=1; false && x=2; a $x", "a 1"],
    ["read x; a $x", "a …"],
    ["x=1; x+=2; a $x", "a 12"],
    ["a $(echo b) `printf c`", "a b c"],
    ["a $(echo YQ== | base64 -d)", "a a"],
    ["a $(cat file)", "a …"],
    ["a *.ts [ab]? '*'", "a *.ts ?? *"],
  ];
  for (const [line, expected] of known) {
    test(`${JSON.stringify(line)} ends in ${expected}`, () => assert.equal(commands(line).at(-1), expected));
  }

  test("do not leave the subshell or the stage of a pipe they are set in", () => {
    assert.equal(commands("(x=1); a $x").at(-1), "a …");
    assert.equal(commands("x=1 | true; a $x").at(-1), "a …");
  });
});

suite("what a command starts", () => {
  const inner: readonly (readonly [line: string, last: string])[] = [
    ["sudo -u x -E -- a b", "a b"],
    ["env -i X=1 a", "a"],
    ["env -S 'a b'", "a b"],
    ["nice -n 5 timeout -k 1 9 nohup a", "a"],
    ["sh -c 'a \"$1\"' sh b", "a b"],
    ["bash -euo pipefail -c a", "a"],
    ["eval a \"'b c'\"", "a b c"],
    ["echo 'a b' | sh", "a b"],
    ["sh <<< a", "a"],
    ["echo b | xargs a", "a b"],
    ["echo b | xargs -I{} a x{}", "a xb"],
    ["find src -name x -exec a {} +", "a src/some"],
    ["git -c alias.x='!a b' x", "a b"],
    ["trap a EXIT", "a"],
    ["echo a > f; sh f", "a"],
    ["python3 -c 'import os; os.system(\"a b\")'", "a b"],
    ["uv run -p 3 a", "a"],
    ["ssh -p 22 host a b", "a b"],
    ["sh -c \"sh -c 'a'\"", "a"],
  ];
  for (const [line, expected] of inner) {
    test(`${JSON.stringify(line)} starts ${expected}`, () => assert.equal(commands(line).at(-1), expected));
  }

  test("reads what the stage before has written, and who that was", () => {
    const { commands: found } = analyseShell("a | (b | sudo c)", place);
    assert.deepEqual(
      found.map(({ path, inputs }) => [path, inputs.map((input) => input.path)]),
      [
        ["a", []],
        ["b", ["a"]],
        ["sudo", ["b"]],
        ["c", ["b"]],
      ],
    );
  });

  test("runs in the folder the line has changed to", () => {
    const folders = (line: string) => analyseShell(line, place).commands.map(({ cwd }) => cwd);
    assert.deepEqual(folders("(cd src && a); b"), ["/srv/project", "/srv/project/src", "/srv/project"]);
    assert.deepEqual(folders("cd .. && cd /x/../y && a").at(-1), "/y");
    assert.deepEqual(folders("cd $X && a").at(-1), null);
    assert.deepEqual(folders("cd && a").at(-1), "/home/user");
  });

  test("runs in either folder where the change may have failed", () => {
    const folders = (line: string) =>
      analyseShell(line, place).commands.flatMap(({ program, cwd }) => (program === "a" ? cwd : []));
    assert.deepEqual(folders("cd src; a"), ["/srv/project/src", "/srv/project"]);
    assert.deepEqual(folders("cd src && a; a"), ["/srv/project/src", "/srv/project/src", "/srv/project"]);
    const either = ["/srv/project/b", "/srv/project/b/c", "/srv/project/c", "/srv/project"];
    assert.deepEqual(new Set(folders("cd b || cd c; a")), new Set(either));
    assert.ok(folders(`${"cd b; ".repeat(10)} a`).includes(null));
    assert.deepEqual(folders("cd src || exit; a"), ["/srv/project/src"]);
    assert.deepEqual(folders("(cd src; a); b"), ["/srv/project/src", "/srv/project"]);
    assert.ok(folders("while b; do cd src; done; a").includes(null));
  });

  test("is found once more with what holds where a branch is not taken, and only then", () => {
    const lines = (line: string) =>
      analyseShell(line, place).commands.map(({ path, args }) => [path, ...args].join(" "));
    assert.deepEqual(lines("b && x=1; a $x"), ["b", "", "a 1", "b", "", "a"]);
    assert.deepEqual(lines("b && x=1 && a $x"), ["b", "", "a 1"]);
    assert.deepEqual(lines("b && c; a"), ["b", "c", "a"]);
    assert.deepEqual(lines("x=1 & a $x"), ["", "a \uE000"]);
    // Where one branch is taken and another is not.
    const mixed = analyseShell("b || x=1; if c; then cd src; fi; a $x", place).commands;
    assert.ok(
      mixed.some(({ path, args, cwd }) => path === "a" && args.length === 0 && cwd === "/srv/project/src"),
    );
  });
});

suite("a line that does not tell all", () => {
  for (const line of [
    "$X",
    "eval $X",
    'sh -c "$X"',
    "a | b | sh",
    "/bin/r? x",
    "'unclosed",
    "a (b)",
    "if a; then b",
    "echo )",
    "git -c core.pager=x log",
    'bash "$X"',
    "python3 -c 'os.system(x)'",
    "cat x > f; sh f",
  ]) {
    test(`${JSON.stringify(line)} says so`, () => {
      const { opaque } = analyseShell(line, place);
      assert.notDeepEqual(opaque, []);
    });
  }
});

test("a single command is told from anything more", () => {
  const isSingle = (line: string) => analyseShell(line, place).isSingle;
  assert.deepEqual(
    ["a b", "a > /dev/null 2>&1", "a; b", "a | b", "a $(b)", "a > f", "X=1 a", "sudo a", ""].map(isSingle),
    [true, true, false, false, false, false, false, false, false],
  );
});

test("words of an argument list are taken as they are", () => {
  const { commands: found } = analyseArgv(["bash", "-lc", "a '$X'; b"], place);
  assert.deepEqual(
    found.map(({ path, args }) => [path, ...args]),
    [["bash", "-lc", "a '$X'; b"], ["a", "$X"], ["b"]],
  );
});

suite("hostile lines are bounded", () => {
  let budget = new Budget();
  beforeEach(() => {
    budget = new Budget();
  });
  const growing = Array.from({ length: 60 }, (_, at) => `v${at + 1}=$v${at}$v${at}`).join("; ");
  for (const [what, line] of [
    ["a fork bomb", ":(){ :|:& };:"],
    ["a variable that doubles", `v0=xxxxxxxxxx; ${growing}; $v60`],
    ["braces that multiply", `${"{1,2}".repeat(40)} a`],
    ["nesting without end", `${"$(".repeat(5_000)}a${")".repeat(5_000)}`],
    ["groups without end", "(".repeat(100_000)],
    ["an eval of evals", `eval ${"eval ".repeat(2_000)} a`],
    ["a shell in a shell", `${"sudo ".repeat(2_000)} a`],
    ["half a million characters", "a ".repeat(250_000)],
    ["functions that call each other", `f() { ${"f;".repeat(50)} }; f`],
    [
      "aliases of each other",
      `${Array.from("abcdefgh", (n) => `alias ${n}='a;b;c;d;e;f;g;h'`).join(";")}; a`,
    ],
    ["a pipe without end", "a|".repeat(50_000).concat("a")],
    ["negations without end", "! ".repeat(50_000).concat("a")],
    ["braces without end", "{".repeat(50_000).concat(" a")],
    ["subscripts without end", "a[;".repeat(50_000)],
    ["arithmetic without end", '$(("("))'.repeat(20_000)],
    ["a value of many words, used often", `x='${"a ".repeat(2_000)}'; a ${"$x ".repeat(2_000)}`],
    ["many arguments, used often", `f() { a ${'"$@" '.repeat(2_000)}; }; f ${"a ".repeat(2_000)}`],
    ["a long value said often", `a='${"x ".repeat(5_000)}'; ${`echo ${"$a ".repeat(20)};`.repeat(5)}`],
    ["many arguments said often", `set -- ${"x ".repeat(5_000)}; ${`echo ${'"$@" '.repeat(20)};`.repeat(5)}`],
    ["an array of itself", `a=(x y); ${'a=("${a[@]}" "${a[@]}"); '.repeat(40)} "${"${a[@]}"}"`],
    ["more words in braces than anybody writes", `{rm,-rf,${"x,".repeat(300)}x}`],
    [
      "find that finds much, and gives it often",
      `find ${"a ".repeat(2_000)} -exec a ${"{} ".repeat(2_000)} +`,
    ],
    ["find that runs much", `find . ${"-exec a \\; ".repeat(20_000)}`],
    [
      "variables without end, in a thousand processes",
      `${Array.from({ length: 20_000 }, (_, at) => `v${at}=1`).join(" ")}; ${"sudo a; ".repeat(1_000)}`,
    ],
    ["a command of more words than anybody writes", `rm ${"x ".repeat(120_000)}`],
    ["an array of more words than anybody writes", `a=(${"x ".repeat(120_000)}); a $x | sh`],
    ["awk code that is all quotes", `awk '${'|"'.repeat(100_000)}'`],
    ["a loop over more words than anybody writes", `for x in ${"a ".repeat(65)}; do b $x; done`],
    [
      "options by the dozen, one of which is given",
      `${Array.from({ length: 17 }, (_, at) => `b${at} && x=-${at};`).join(" ")} a $x`,
    ],
    [
      "xargs that reads much, and gives it often",
      `echo ${"a ".repeat(2_000)}|xargs -I{} a ${"{} ".repeat(2_000)}`,
    ],
  ] as const) {
    test(`${what} ends as something that cannot be told`, () => {
      assert.notDeepEqual(analyseShell(line, place).opaque, []);
    });
  }

  test("many commands are followed up to a number", () => {
    const { commands: found, opaque } = analyseShell("a;".repeat(5_000), place);
    assert.deepEqual([found.length, opaque], [1_000, ["it has too many commands"]]);
  });

  test("all ways a line may go share one number of steps, and what comes after is said to be opaque", () => {
    const values = Array.from({ length: 16 }, (_, at) => `false && x=-a${at};`).join("");
    const ended = analyseShell(`${values}cd a; cd b; cd c; cd d; ${"rec $x;".repeat(990)}`, place, budget);
    assert.deepEqual([budget.steps, ended.opaque], [stepsPerLine, ["it has too many commands"]]);
  });

  test("the steps of a way that is not the first say so too", () => {
    const values = Array.from({ length: 8 }, (_, at) => `false && x=-a${at};`).join("");
    const line = `${values}cd a; cd b; cd c; cd d; ${"rec $x;".repeat(700)}`;
    assert.deepEqual(analyseShell(line, place, budget).opaque, ["it has too many commands"]);
    assert.equal(budget.steps, stepsPerLine);
  });

  test("a folder deeper with every command takes steps as its commands do", () => {
    analyseShell("pushd a; ".repeat(500), place, budget);
    const { steps } = budget;
    const twice = new Budget();
    analyseShell("pushd a; ".repeat(250), place, twice);
    assert.ok(steps < 5_000 && steps < 3 * twice.steps, `${steps} and ${twice.steps}`);
  });

  test("what an innocent line takes is far below", () => {
    const line =
      'cd src && for f in *.ts; do npx biome lint "$f" || exit 1; done; git add -A && git commit -m x';
    analyseShell(line, place, budget);
    assert.ok(budget.steps < 200, `${budget.steps}`);
  });

  test("a NUL ends no line that is read", () => {
    assert.ok(commands("ls\0; rec").some((command) => command.startsWith("rec")));
    assert.ok(commands("echo a\0b\nrec").includes("rec"));
  });

  test("what variables stand for is told up to a length", () => {
    const line = `a='${"x ".repeat(5_000)}'; ${`echo ${"$a ".repeat(20)};`.repeat(5)}`;
    const words = analyseShell(line, place).commands.flatMap(({ args }) => args);
    assert.ok(words.length > 10_000 && words.length < 200_000, `${words.length} words`);
  });

  test("characters that mean something to us mean nothing in a line", () => {
    assert.deepEqual(commands("a \uE000\uE001"), ["a \uFFFD\uFFFD"]);
  });
});

test("any text at all is read without a mistake of ours", () => {
  const pieces = fc.constantFrom(
    ..."a git rm -rf $x ${x} $( ) ` ' \" \\ ; & | && || ( ) { } < > << EOF \n # [[ ]] (( )) if then fi for in do done case esac".split(
      " ",
    ),
    ..."~ * ? [ ] { , } = $'x' $\" <( >( eval sh -c xargs find -exec {} + function f() ! time export x=1 x=(1) <<<".split(
      " ",
    ),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(pieces, { maxLength: 40 }).map((words) => words.join(" ")),
    fc.array(pieces, { maxLength: 40 }).map((words) => words.join("")),
  );
  fc.assert(
    fc.property(text, (line) => {
      const { commands: found, opaque } = analyseShell(line, place);
      assert.ok(Array.isArray(found) && Array.isArray(opaque));
    }),
    { numRuns: 2_000 },
  );
});

suite("a line that goes deeper into folders with every command", () => {
  const deep = `${"pushd a; ".repeat(500)}rm x`;

  test("asks about no folder of more than 64 names: the time it takes is linear", () => {
    const asked: string[] = [];
    const isFolder = (path: string) => asked.push(path) < 0;
    const { commands } = analyseShell(deep, { ...place, isFolder });
    assert.equal(commands.at(-1)?.program, "rm");
    assert.ok(asked.length > 50);
    assert.equal(Math.max(...asked.map((path) => path.split("/").length - 1)), 64);
  });

  test("asks about no folder of more than 1,024 characters", () => {
    const asked: string[] = [];
    const isFolder = (path: string) => asked.push(path) < 0;
    analyseShell(`cd ${"a".repeat(200)}; `.repeat(50), { ...place, isFolder });
    assert.ok(asked.length > 5);
    assert.ok(asked.every((path) => path.length <= 1_024));
  });

  test("is in a folder that is not known then", () =>
    assert.ok(
      analyseShell(deep, place).commands.some(({ program, cwd }) => program === "rm" && cwd === null),
    ));
});
