import { spawnSync } from "node:child_process";

/** Why functions in Python cannot be tried here, or false. */
export const pythonOnly =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 8))"]).status === 0
    ? false
    : "needs python3, 3.8 or newer";
