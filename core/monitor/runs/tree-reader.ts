/** Usage of the living processes of an attempt. */
export interface TreeUsage {
  /**
   * CPU time in milliseconds since the last reading, including ended children that were waited for. For a new tree,
   * its total.
   */
  readonly cpuMs: number;
  /** Total resident memory in bytes. */
  readonly memory: number;
  readonly processes: number;
}

/** A reading of all attempts. */
export interface TreeReading {
  /** By absolute path of the attempt's directory. */
  readonly trees: ReadonlyMap<string, TreeUsage>;
  /** CPU time of the reading in milliseconds; if another program did the work, its duration. */
  readonly costMs: number;
}

/** Measures the processes of attempts. Linux and other systems have different implementations. */
export interface TreeReader {
  /** @param elapsedMs since the last reading */
  read(elapsedMs: number): Promise<TreeReading>;
  /** Discards all state, because there are no attempts; later processes are new. */
  clear(): void;
}
