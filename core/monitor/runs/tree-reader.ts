/** What the living processes of one attempt have used. */
export interface TreeUsage {
  /**
   * CPU time in milliseconds since the reading before, with that of children that have ended and were waited for. Of
   * a tree that is seen for the first time: all it has used.
   */
  readonly cpuMs: number;
  /** Resident memory of all of them in bytes. */
  readonly memory: number;
  readonly processes: number;
}

/** One look at all attempts. */
export interface TreeReading {
  /** By the attempt's directory, absolute. */
  readonly trees: ReadonlyMap<string, TreeUsage>;
  /** CPU time it took, milliseconds; where another program did the work, how long that took. */
  readonly costMs: number;
}

/** Finds the processes of attempts. There is one way on Linux, and another on other systems. */
export interface TreeReader {
  /** @param elapsedMs since the reading before */
  read(elapsedMs: number): Promise<TreeReading>;
  /** There are no attempts now, so what is seen next has begun since. */
  clear(): void;
}
