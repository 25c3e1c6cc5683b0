import type { ProcessorKind } from "../ports/processor.ts";
import { echo } from "./echo/echo.ts";

/** Every kind of processor, by the name runs use. */
export const processorKinds: Readonly<Record<string, ProcessorKind>> = { echo };
