/** What keeps a database small and fast, in portions that nobody feels. None of it waits for other processes. */
export interface UpkeepStore {
  /** Changes with every run event and with every commit of another process. Costs microseconds. */
  activity(): string;
  /** Bytes of the file that hold nothing. */
  freeBytes(): number;
  /**
   * Gives a portion of them back to the disk. False when there was none, when another process writes, or when
   * the file is of a kind that can only be rewritten as a whole and is too big for that.
   */
  shrink(): boolean;
  /** Brings the write-ahead log into the database and empties it, unless somebody reads or writes. */
  emptyLog(): void;
}
