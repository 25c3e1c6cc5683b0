import type { ProcessorKind } from "../port/processor.ts";
import { command } from "./command/command.ts";
import { custom } from "./custom/custom.ts";
import { echo } from "./echo/echo.ts";
import { inference } from "./inference/inference.ts";

/** Every kind of processor, by the name runs use. */
export const processorKinds: Readonly<Record<string, ProcessorKind>> = { echo, custom, command, inference };
