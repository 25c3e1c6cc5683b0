// Loaded before each file of tests: properties meet the same examples every time, so that a change is what turns them red.
// `SWARM_SEED=random npm test` looks for new ones; a failure prints the seed it was found with.
import fc from "fast-check";

const given = process.env.SWARM_SEED;
if (given !== "random") fc.configureGlobal({ seed: given === undefined ? 20_260_101 : Number(given) });
