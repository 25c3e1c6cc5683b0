/** A text that is not JSON. Its message says where, and quotes nothing of the text: it may be any file or answer. */
export class NotJson extends Error {}

/** `JSON.parse`, whose own errors quote some of the text ("Unexpected token 'h', \"hunter2\" is not valid JSON"). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotJson(jsonProblem(error as Error));
  }
}

/** As it may stand after "is not JSON:". */
function jsonProblem({ message }: Error): string {
  if (message.startsWith("Unexpected end")) return "it ends too early";
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  return line === undefined ? "it holds something else" : `at line ${line}, column ${column}`;
}
