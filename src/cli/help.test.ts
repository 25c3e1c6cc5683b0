import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { groupHelp, helpFor, firstCommands, overview, topics } from "./help.ts";
import { commands } from "./main.ts";

const width = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

suite("help", () => {
  test("has every command in exactly one topic", () => {
    const words = Object.values(topics).flatMap((topic) => topic.words);
    const firstWords = new Set(Object.keys(commands).map((name) => name.split(" ")[0]));
    assert.deepEqual(words.toSorted(), [...firstWords].toSorted());
  });

  test("begins with ten commands that exist", () => {
    assert.equal(firstCommands.length, 10);
    assert.deepEqual(
      firstCommands.filter((name) => commands[name] === undefined),
      [],
    );
    const shown = overview(commands, 100);
    assert.ok(shown.indexOf("  init ") < shown.indexOf("  hooks new "));
  });

  for (const columns of [60, 80, 120]) {
    test(`fits a terminal of ${columns} columns`, () => {
      for (const text of [overview(commands, columns), groupHelp(commands, "audit", columns)])
        assert.ok(width(text) <= columns, text);
    });
  }

  test("of a topic lists its commands, of a group those of the group, of a command its own", () => {
    assert.match(helpFor(commands, ["rules"]), /^rules: .*\n\n {2}check +\S[\s\S]*\n {2}policy init /);
    assert.match(helpFor(commands, ["policy"]), /^Usage: swarm policy <command>/);
    assert.match(helpFor(commands, ["policy", "init"]), /Usage: swarm policy init/);
    assert.match(helpFor(commands, ["check"]), /Usage: swarm check/);
  });

  test("of what there is not names the nearest", () => {
    assert.throws(() => helpFor(commands, ["polici"]), /no topic "polici"; did you mean swarm help policy\?/);
  });
});
