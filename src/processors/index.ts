import type { ProcessorKind } from "../ports/processor.ts";
import { type CommandOptions, commandProcessor } from "./command/command.ts";
import { type CustomOptions, customProcessor } from "./custom/custom.ts";
import { echo } from "./echo/echo.ts";

/** Every kind of processor, by the name runs use. */
export function processorKinds(
  options: CustomOptions & CommandOptions,
): Readonly<Record<string, ProcessorKind>> {
  return { echo, custom: customProcessor(options), command: commandProcessor(options) };
}
