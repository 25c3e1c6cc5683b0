import { type Child, h } from "./dom.ts";
import { code } from "./view.ts";

/** What somebody sees who is not logged in. */
export function loginScreen(problem: Child): HTMLElement {
  return h(
    "main",
    { class: "login" },
    h("h1", {}, "swarm-hooks"),
    problem,
    h(
      "p",
      {},
      "Nobody is logged in here. Make a link in a terminal on this machine and open it in this browser:",
    ),
    h("pre", {}, "swarm login"),
    h(
      "p",
      { class: "quiet" },
      "It works once, within five minutes, and lets this browser in for twelve hours. ",
      code("swarm login --role viewer"),
      " makes one for somebody who only looks.",
    ),
  );
}
