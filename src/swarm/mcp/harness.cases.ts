import assert from "node:assert/strict";
import type { CallToolResult, Client, Transport } from "@modelcontextprotocol/client";

type Shown = Readonly<Record<string, unknown>>;

/** An agent at its tools, by the SDK's own client, which checks each answer against the tool's output schema. */
export class ToolUser {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  /** `auto` speaks the protocol of 2026 where the server does, `legacy` the one before. */
  static async connect(transport: Transport, mode: "auto" | "legacy" = "auto"): Promise<ToolUser> {
    const sdk = await import("@modelcontextprotocol/client");
    const client = new sdk.Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport);
    await client.listTools(); // the output schemas are known from here on
    return new ToolUser(client);
  }

  async ask(name: string, given: Shown = {}, signal?: AbortSignal): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: given }, signal === undefined ? {} : { signal });
  }

  async use<T = Shown>(name: string, given: Shown = {}): Promise<T> {
    const { isError, structuredContent, content } = await this.ask(name, given);
    assert.notEqual(isError, true, JSON.stringify(content));
    assert.deepEqual(
      JSON.parse(textOf({ content })),
      structuredContent,
      "the same for clients that read texts",
    );
    return structuredContent as T;
  }

  /** What a tool says that does not do it. */
  async refused(name: string, given: Shown = {}): Promise<string> {
    const answer = await this.ask(name, given);
    assert.equal(answer.isError, true, JSON.stringify(answer));
    return textOf(answer);
  }
}

function textOf({ content }: Pick<CallToolResult, "content">): string {
  const [first] = content;
  assert.ok(first?.type === "text" && content.length === 1);
  return first.text;
}

export interface ClaimedTask {
  readonly task: { readonly task_id: string; readonly goal: string };
  readonly lease: { readonly epoch: number };
}
