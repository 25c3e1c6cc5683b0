// Left out of test:fast: 200 simulations of 400 steps take some seconds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { breakings } from "./breaking.ts";
import { findShortest, simulate } from "./simulation.ts";

test("200 swarms of 400 steps each lose nothing, do nothing twice, and let nobody act who has lost its task", async () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { violation } = await simulate({ seed, steps: 400 });
    assert.equal(violation, null, `npm run sim -- --seed ${seed} --steps 400`);
  }
});

test("the same seed gives the same log, byte for byte, and another one another", async () => {
  const [first, again, other] = [
    await simulate({ seed: 7, steps: 500 }),
    await simulate({ seed: 7, steps: 500 }),
    await simulate({ seed: 8, steps: 500 }),
  ];
  assert.equal(first.log.join("\n"), again.log.join("\n"));
  assert.ok(first.rows > 100 && first.log.length > 500, "it does something");
  assert.notEqual(first.digest, other.digest);
});

test("fewer steps are the same steps", async () => {
  const [long, short] = [await simulate({ seed: 9, steps: 300 }), await simulate({ seed: 9, steps: 100 })];
  const own = short.log.findIndex((line) => line.startsWith("101 "));
  assert.ok(own > 100);
  assert.deepEqual(short.log.slice(0, own - 1), long.log.slice(0, own - 1));
});

const found = {
  epoch: /could \w+ t\d+ with epoch \d+, which row \d+ had ended/,
  tool: /runs tools and has lost/,
  claim: /was set aside for/,
  counter: /attempts went from \d+ to 0/,
};

for (const breaking of breakings)
  test(`a swarm whose ${breaking} is broken is found out`, async () => {
    const shortest = await findShortest(1, 20, { steps: 300, breaking });
    assert.match(shortest?.violation ?? "nothing is found", found[breaking]);
    const { seed = 0, steps = 0, digest } = shortest ?? {};
    assert.equal((await simulate({ seed, steps, breaking })).digest, digest, "it is replayed");
    assert.equal((await simulate({ seed, steps })).violation, null, "the swarm itself is in order there");
  });
