/** Told what happens on a line to a server, which the SDK does not tell whoever waits for an answer. */
export interface LineWatch {
  readonly server: string;
  /** What was to be an answer will never be one. */
  onCutOff(problem: unknown): void;
  onOversize(): void;
  /** The stream that would tell of changes is over. */
  onDeaf(): void;
}
