/** What an agent's hook was started with. */
export interface NativeRequest {
  readonly agent: string;
  /** Whether silence may be taken for consent: if not, every mistake is a refusal. */
  readonly isGuard: boolean;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

/** Null for what is not a JSON object. */
export function payloadOf({ input }: NativeRequest): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
