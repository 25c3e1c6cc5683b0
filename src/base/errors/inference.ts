import { oneLine } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What keeps a model from being used. */
export const inferenceErrors = {
  SWARM_ONNX_RUNTIME_MISSING: row<{ looked: string | null }>({
    meaning: "An ONNX model was to be used, and the optional package onnxruntime-node is not installed.",
    remedy:
      "Install it: `ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node` beside this package; without that variable its install step downloads a GPU build. Or name its folder in SWARM_ONNXRUNTIME.",
    status: 400,
    exitCode: 65,
    message: ({ looked }) =>
      `ONNX models need onnxruntime-node, which is not ${looked === null ? "installed" : `in ${oneLine(looked, 300)}`}: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node`,
  }),
  SWARM_SKLEARN_MISSING: row<{ python: string; problem: string }>({
    meaning: "A joblib model was to be used with a Python that cannot load it.",
    remedy:
      "Install scikit-learn for that Python (`python3 -m pip install scikit-learn`, on Debian `apt install python3-sklearn` for /usr/bin/python3), or name another one as `python` in the configuration or in SWARM_PYTHON.",
    status: 400,
    exitCode: 65,
    message: ({ python, problem }) =>
      `${oneLine(python, 300)} cannot load joblib models: ${oneLine(problem, 500)}; install scikit-learn for it (python3 -m pip install scikit-learn, on Debian apt install python3-sklearn), or set python to one that has it`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
