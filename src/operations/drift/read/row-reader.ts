/** Takes text as it comes and gives a row at a time. */
export interface RowReader {
  /** Of a row that is not whole yet. */
  readonly pendingChars: number;
  push(text: string): void;
  end(): void;
}

export interface RowSink {
  record(value: unknown): void;
  /** A row that could not be read, and why. */
  unread(problem: string): void;
}
