/**
 * Where this machine keeps what was acknowledged and is not in the store yet, a line each: to write one is several times as
 * fast as a transaction, and it survives the death of the process all the same.
 */
export interface Journal {
  /** Where it is, for people. */
  readonly location: string;
  /** What an earlier process has left behind. Throws `NotReadable` where that cannot be read. */
  read(): string;
  /** Begins with nothing: what was left behind has to be in the store already. */
  begin(): JournalWriter;
  /** Keeps lines that are not believed, for a person to look at, and tells where; null when the same were kept before. */
  keepRejected(lines: string): string | null;
  /** Moves away what cannot be read, and tells where to. */
  moveRejected(): string;
}

export interface JournalWriter {
  /** Throws where it cannot be written, and nothing counts as written then. */
  write(line: string): void;
  /** To be called when the store has every line: forgets them, if that is worth the while. Tells whether it did. */
  trim(isAll?: boolean): boolean;
  close(): void;
}
