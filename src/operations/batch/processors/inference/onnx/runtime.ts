/** As much of onnxruntime-node as is used. It is an optional peer, so its own types may not be there. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array | string, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: string, data: TensorData, dims: readonly number[]) => OnnxTensor;
}

export interface OnnxSession {
  readonly inputMetadata: readonly OnnxValue[];
  readonly outputMetadata: readonly OnnxValue[];
  run(
    feeds: Readonly<Record<string, OnnxTensor>>,
    fetches: readonly string[],
  ): Promise<Readonly<Record<string, OnnxTensor>>>;
}

export interface OnnxValue {
  readonly name: string;
  /** Sequences and maps are none. */
  readonly isTensor: boolean;
  readonly type: string;
  /** A size, or a text or -1 for one that is known only when it runs. */
  readonly shape: readonly (number | string)[];
}

export interface OnnxTensor {
  readonly type: string;
  readonly data: TensorData;
  readonly dims: readonly number[];
}

export type TensorData = readonly string[] | NumericData;
export type NumericData =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;
