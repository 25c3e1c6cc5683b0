import { type ErrorCode, errorCatalog } from "./error-catalog.ts";
import { type SwarmError as ErrorOf, withErrors } from "./swarm-error.ts";

/**
 * Errors of the whole catalogue. Whoever raises one has its row with the class; the engine raises its own only, and has
 * those of nothing else.
 */
export const SwarmError = withErrors(errorCatalog);
export type SwarmError<C extends ErrorCode = ErrorCode> = ErrorOf<C, typeof errorCatalog>;
