/** For tests of hooks: time in your hand instead of real delays. */
export { type ManualClock, manualClock } from "./manual-clock.ts";
