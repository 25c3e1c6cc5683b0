import { type Dialect, type Json, listOf, objectOf, textOf, toolsIn } from "./dialect.ts";
import type { ModelReply } from "./script.ts";

/** Gemini generateContent and streamGenerateContent. */
export const gemini: Dialect = {
  name: "gemini",
  path: /^\/v1(beta|alpha)?\/models\/[^/:]+:(streamGenerateContent|generateContent)$/,
  read(body, path) {
    const contents = listOf(body.contents);
    const parts = contents.flatMap((content) => listOf(content.parts));
    const results = parts.filter(({ functionResponse }) => functionResponse !== undefined);
    const spoken = contents.filter(({ role }) => role === "user").map((content) => textOf(content.parts));
    return {
      isStreamed: path.endsWith(":streamGenerateContent"),
      turn: {
        prompts: spoken.filter((text) => text !== ""),
        toolResults: results.map(({ functionResponse }) =>
          JSON.stringify(objectOf(functionResponse).response ?? null),
        ),
        tools: listOf(body.tools).flatMap((tool) => toolsIn(listOf(tool.functionDeclarations))),
      },
    };
  },
  whole: (reply, id) => ({
    responseId: id,
    modelVersion: "scripted",
    candidates: [{ index: 0, content: { role: "model", parts: [part(reply)] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
  // A stream of one piece is a stream; its pieces have no names.
  pieces: (reply, id) => [{ data: gemini.whole(reply, id) }],
};

function part(reply: ModelReply): Json {
  return "tool" in reply ? { functionCall: { name: reply.tool, args: reply.input } } : { text: reply.text };
}
