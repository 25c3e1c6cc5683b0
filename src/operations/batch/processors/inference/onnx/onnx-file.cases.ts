/** Writes ONNX files: as much of the format as the models of the tests and benchmarks need. */

export type ElementType = keyof typeof elementTypes;
const elementTypes = { float: 1, int32: 6, int64: 7, string: 8, bool: 9, double: 11 } as const;

/** A dimension: a size, or the name of one that is known only when it runs. */
export type Dim = number | string;

export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly Dim[];
}

export interface Node {
  readonly op: string;
  readonly domain?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

export type Attribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly text: string }
  | { readonly ints: readonly number[] }
  | { readonly floats: readonly number[] }
  | { readonly texts: readonly string[] };

export interface Constant {
  readonly name: string;
  readonly shape: readonly number[];
  readonly floats: readonly number[];
}

export interface Graph {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly nodes: readonly Node[];
  readonly constants?: readonly Constant[];
}

export function onnxFile({ inputs, outputs, nodes, constants = [] }: Graph): Buffer {
  const graph = [
    ...nodes.map((node) => part(1, nodeBytes(node))),
    text(2, "graph"),
    ...constants.map((constant) => part(5, constantBytes(constant))),
    ...inputs.map((value) => part(11, valueBytes(value))),
    ...outputs.map((value) => part(12, valueBytes(value))),
  ];
  const opset = (domain: string, version: number) => part(8, [text(1, domain), integer(2, version)]);
  return Buffer.concat([integer(1, 8), part(7, graph), opset("", 13), opset("ai.onnx.ml", 3)]);
}

function nodeBytes({ op, domain = "", inputs, outputs, attributes = {} }: Node): Buffer[] {
  return [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => part(5, [text(1, name), ...attributeBytes(value)])),
    text(7, domain),
  ];
}

function attributeBytes(value: Attribute): Buffer[] {
  if ("float" in value) return [float(2, value.float), integer(20, 1)];
  if ("int" in value) return [integer(3, value.int), integer(20, 2)];
  if ("text" in value) return [text(4, value.text), integer(20, 3)];
  if ("floats" in value) return [...value.floats.map((one) => float(7, one)), integer(20, 6)];
  if ("ints" in value) return [...value.ints.map((one) => integer(8, one)), integer(20, 7)];
  return [...value.texts.map((one) => text(9, one)), integer(20, 8)];
}

function constantBytes({ name, shape, floats }: Constant): Buffer[] {
  const raw = Buffer.from(Float32Array.from(floats).buffer);
  return [
    ...shape.map((size) => integer(1, size)),
    integer(2, elementTypes.float),
    text(8, name),
    part(9, [raw]),
  ];
}

function valueBytes({ name, type, shape }: Value): Buffer[] {
  const dims = shape.map((dim) => part(1, [typeof dim === "number" ? integer(1, dim) : text(2, dim)]));
  const tensor = [integer(1, elementTypes[type]), part(2, dims)];
  return [text(1, name), part(2, [part(1, tensor)])];
}

function text(field: number, value: string): Buffer {
  return part(field, [Buffer.from(value)]);
}

function part(field: number, bodies: readonly Buffer[]): Buffer {
  const body = Buffer.concat(bodies);
  return Buffer.concat([varint(field * 8 + 2), varint(body.length), body]);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function float(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint(field * 8 + 5), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
