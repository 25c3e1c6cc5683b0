/** TypeScript describes it among what browsers have. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

/** What a program exports that `npm run generate` has compiled; throws where there is no WebAssembly. */
export function startProgram<Exports extends object>(base64: string): Exports {
  const module = new WebAssembly.Module(Buffer.from(base64, "base64"));
  return new WebAssembly.Instance(module).exports as Exports;
}
