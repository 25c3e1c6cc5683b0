import { engineErrors } from "./errors/engine.ts";
import type { ErrorRow } from "./errors/row.ts";
import { maskMessage } from "./message-mask.ts";
import { oneLine } from "./show.ts";

const maxMessageChars = 2_000;

export type ErrorRows = Readonly<Record<string, ErrorRow<never>>>;

/** The errors of the engine. What else a program raises is added by whoever has the rows of it. */
export type EngineErrorCode = keyof typeof engineErrors;

export type ParamsOf<R extends ErrorRows, C extends keyof R> = Parameters<R[C]["message"]>[0];

const known: Record<string, ErrorRow<never>> = { ...engineErrors };

/**
 * Every error this package raises on purpose. `code` is stable and documented in docs/errors.md; the message
 * names the value that was refused and what was expected instead.
 */
export class SwarmError<
  C extends keyof R & string = EngineErrorCode,
  R extends ErrorRows = typeof engineErrors,
> extends Error {
  override readonly name = "SwarmError";
  readonly code: C;
  readonly params: ParamsOf<R, C>;

  /** `message`: as another process has worded it; its params did not come along. */
  constructor(code: C, params: ParamsOf<R, C>, options?: ErrorOptions & { readonly message?: string }) {
    super(options?.message ?? describe(code, params), options);
    this.code = code;
    this.params = params;
  }

  /** HTTP status a server answers with when this error reaches it. */
  get status(): number {
    return rowOf(this.code).status;
  }

  /** Exit code of the command line when this error ends it. */
  get exitCode(): number {
    return rowOf(this.code).exitCode;
  }
}

/** The same class for the errors of a larger catalogue. */
export function withErrors<R extends ErrorRows>(rows: R): SwarmErrorClass<R> {
  Object.assign(known, rows);
  // Which codes there are is only the compiler's concern.
  return SwarmError as unknown as SwarmErrorClass<R>;
}

export interface SwarmErrorClass<R extends ErrorRows> {
  new <C extends keyof R & string>(
    code: C,
    params: ParamsOf<R, C>,
    options?: ErrorOptions & { readonly message?: string },
  ): SwarmError<C, R>;
  readonly prototype: SwarmError<keyof R & string, R>;
}

function rowOf(code: string): ErrorRow<never> {
  const row = known[code];
  if (row === undefined) throw new Error(`${code} is in no catalogue of errors`);
  return row;
}

function describe(code: string, params: unknown): string {
  // The catalogue is heterogeneous: TypeScript cannot see that row `code` takes these params.
  const message = rowOf(code).message as (params: unknown) => string;
  // Values, paths and names from outside stand in it. A message goes to the model, to logs and into the record.
  return oneLine(maskMessage(message(params).slice(0, 2 * maxMessageChars)), maxMessageChars);
}
