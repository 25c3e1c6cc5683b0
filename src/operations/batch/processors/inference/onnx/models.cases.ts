import { type Graph, type Node, onnxFile } from "./onnx-file.cases.ts";

/** Models with answers that can be worked out by hand, as files. */

/** A number from all features of a record: their weighted sum. */
export function linearRegression(weights: readonly number[], bias: number): Buffer {
  return onnxFile({
    inputs: [{ name: "X", type: "float", shape: ["N", weights.length] }],
    outputs: [{ name: "variable", type: "float", shape: ["N", 1] }],
    nodes: [{ op: "Gemm", inputs: ["X", "W", "B"], outputs: ["variable"] }],
    constants: [
      { name: "W", shape: [weights.length, 1], floats: weights },
      { name: "B", shape: [1], floats: [bias] },
    ],
  });
}

/** Two classes, a label and both probabilities, as converters write scikit-learn's. */
export function logisticClassifier(
  weights: readonly number[],
  bias: number,
  classes: Record<string, { readonly ints: number[] } | { readonly texts: string[] }> = {
    classlabels_ints: { ints: [0, 1] },
  },
): Buffer {
  const isText = "classlabels_strings" in classes;
  return onnxFile({
    inputs: [{ name: "X", type: "float", shape: ["N", weights.length] }],
    outputs: [
      { name: "label", type: isText ? "string" : "int64", shape: ["N"] },
      { name: "probabilities", type: "float", shape: ["N", 2] },
    ],
    nodes: [
      {
        op: "LinearClassifier",
        domain: "ai.onnx.ml",
        inputs: ["X"],
        outputs: ["label", "probabilities"],
        attributes: {
          coefficients: { floats: [...weights.map((weight) => -weight), ...weights] },
          intercepts: { floats: [-bias, bias] },
          multi_class: { int: 0 },
          post_transform: { text: "SOFTMAX" },
          ...classes,
        },
      },
    ],
  });
}

/** Takes a text, a whole number and a number, each by a name of its own; answers what it was given. */
export function namedInputs(): Buffer {
  const same = (name: string): Node => ({ op: "Identity", inputs: [name], outputs: [`${name}_again`] });
  const graph: Graph = {
    inputs: [
      { name: "country", type: "string", shape: ["N", 1] },
      { name: "visits", type: "int64", shape: ["N", 1] },
      { name: "amount", type: "float", shape: ["N", 1] },
    ],
    outputs: [
      { name: "country_again", type: "string", shape: ["N", 1] },
      { name: "visits_again", type: "int64", shape: ["N", 1] },
      { name: "amount_again", type: "float", shape: ["N", 1] },
    ],
    nodes: ["country", "visits", "amount"].map(same),
  };
  return onnxFile(graph);
}

/** Scores of several classes, without a label: a layer, then softmax. */
export function softmaxClassifier(weights: readonly (readonly number[])[]): Buffer {
  const classCount = weights[0]?.length ?? 0;
  return onnxFile({
    inputs: [{ name: "features", type: "float", shape: ["batch", weights.length] }],
    outputs: [{ name: "scores", type: "float", shape: ["batch", classCount] }],
    nodes: [
      { op: "MatMul", inputs: ["features", "W"], outputs: ["logits"] },
      { op: "Softmax", inputs: ["logits"], outputs: ["scores"], attributes: { axis: { int: 1 } } },
    ],
    constants: [{ name: "W", shape: [weights.length, classCount], floats: weights.flat() }],
  });
}

/** One record at a time, of two rows and three columns; the sum of each row. */
export function fixedBatch(): Buffer {
  return onnxFile({
    inputs: [{ name: "image", type: "float", shape: [1, 2, 3] }],
    outputs: [{ name: "sums", type: "float", shape: [1, 2] }],
    nodes: [
      {
        op: "ReduceMean",
        inputs: ["image"],
        outputs: ["sums"],
        attributes: { axes: { ints: [2] }, keepdims: { int: 0 } },
      },
    ],
  });
}

export interface ForestSize {
  readonly trees: number;
  readonly depth: number;
  readonly features: number;
}

/** A forest of complete trees with thresholds drawn by `random`; the mean of its leaves is the second class' score. */
export function forest({ trees, depth, features }: ForestSize, random: () => number): Buffer {
  const inner = 2 ** depth - 1;
  const size = 2 ** (depth + 1) - 1;
  const nodes = {
    treeids: [] as number[],
    nodeids: [] as number[],
    featureids: [] as number[],
    values: [] as number[],
    modes: [] as string[],
    truenodeids: [] as number[],
    falsenodeids: [] as number[],
  };
  const leaves = { tree: [] as number[], node: [] as number[], weight: [] as number[] };
  for (let tree = 0; tree < trees; tree++) {
    for (let node = 0; node < size; node++) {
      const isLeaf = node >= inner;
      nodes.treeids.push(tree);
      nodes.nodeids.push(node);
      nodes.featureids.push(isLeaf ? 0 : Math.floor(random() * features));
      nodes.values.push(isLeaf ? 0 : random());
      nodes.modes.push(isLeaf ? "LEAF" : "BRANCH_LEQ");
      nodes.truenodeids.push(isLeaf ? 0 : 2 * node + 1);
      nodes.falsenodeids.push(isLeaf ? 0 : 2 * node + 2);
      if (!isLeaf) continue;
      leaves.tree.push(tree);
      leaves.node.push(node);
      leaves.weight.push(random() / trees);
    }
  }
  return onnxFile({
    inputs: [{ name: "X", type: "float", shape: ["N", features] }],
    outputs: [
      { name: "label", type: "int64", shape: ["N"] },
      { name: "probabilities", type: "float", shape: ["N", 2] },
    ],
    nodes: [
      {
        op: "TreeEnsembleClassifier",
        domain: "ai.onnx.ml",
        inputs: ["X"],
        outputs: ["label", "probabilities"],
        attributes: {
          nodes_treeids: { ints: nodes.treeids },
          nodes_nodeids: { ints: nodes.nodeids },
          nodes_featureids: { ints: nodes.featureids },
          nodes_values: { floats: nodes.values },
          nodes_modes: { texts: nodes.modes },
          nodes_truenodeids: { ints: nodes.truenodeids },
          nodes_falsenodeids: { ints: nodes.falsenodeids },
          class_treeids: { ints: leaves.tree },
          class_nodeids: { ints: leaves.node },
          class_ids: { ints: leaves.tree.map(() => 0) },
          class_weights: { floats: leaves.weight },
          classlabels_int64s: { ints: [0, 1] },
          post_transform: { text: "NONE" },
        },
      },
    ],
  });
}

/** Layers of a multi-layer perceptron with a sigmoid at its end, weights drawn by `random`. */
export function perceptron(sizes: readonly number[], random: () => number): Buffer {
  const layers = sizes.slice(1).map((to, index) => ({ from: sizes[index] ?? 0, to, index }));
  const last = layers.length - 1;
  return onnxFile({
    inputs: [{ name: "X", type: "float", shape: ["N", sizes[0] ?? 0] }],
    outputs: [{ name: "score", type: "float", shape: ["N", sizes.at(-1) ?? 0] }],
    nodes: layers.flatMap(({ index }): Node[] => [
      {
        op: "Gemm",
        inputs: [index === 0 ? "X" : `a${index - 1}`, `W${index}`, `B${index}`],
        outputs: [`z${index}`],
      },
      {
        op: index === last ? "Sigmoid" : "Relu",
        inputs: [`z${index}`],
        outputs: [index === last ? "score" : `a${index}`],
      },
    ]),
    constants: layers.flatMap(({ from, to, index }) => [
      {
        name: `W${index}`,
        shape: [from, to],
        floats: Array.from({ length: from * to }, () => random() - 0.5),
      },
      { name: `B${index}`, shape: [to], floats: Array.from({ length: to }, () => random() - 0.5) },
    ]),
  });
}
