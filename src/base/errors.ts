import { type ErrorCode, type ErrorParams, errorCatalog } from "./error-catalog.ts";
import { maskMessage } from "./message-mask.ts";
import { oneLine } from "./show.ts";

const maxMessageChars = 2_000;

/**
 * Every error this package raises on purpose. `code` is stable and documented in docs/errors.md; the message
 * names the value that was refused and what was expected instead.
 */
export class SwarmError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "SwarmError";
  readonly code: C;
  readonly params: ErrorParams<C>;

  /** `message`: as another process has worded it; its params did not come along. */
  constructor(code: C, params: ErrorParams<C>, options?: ErrorOptions & { readonly message?: string }) {
    super(options?.message ?? describe(code, params), options);
    this.code = code;
    this.params = params;
  }

  /** HTTP status a server answers with when this error reaches it. */
  get status(): number {
    return errorCatalog[this.code].status;
  }

  /** Exit code of the command line when this error ends it. */
  get exitCode(): number {
    return errorCatalog[this.code].exitCode;
  }
}

function describe<C extends ErrorCode>(code: C, params: ErrorParams<C>): string {
  // The catalogue is heterogeneous: TypeScript cannot see that row `code` takes `ErrorParams<code>`.
  const message = errorCatalog[code].message as (params: ErrorParams<C>) => string;
  // Values, paths and names from outside stand in it. A message goes to the model, to logs and into the record.
  return oneLine(maskMessage(message(params).slice(0, 2 * maxMessageChars)), maxMessageChars);
}
