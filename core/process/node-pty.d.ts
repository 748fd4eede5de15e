// A file of its own: types for a package that is installed under another name.

/**
 * The package is installed under an alias, but its types only declare its own name. Declares the parts that this engine
 * uses.
 */
declare module 'node-pty' {
  interface TerminalProcess {
    readonly pid: number;
    /** Name of the program in the foreground. */
    readonly process: string;
    /** Passes bytes when `encoding` is null. */
    onData(listener: (data: string) => void): void;
    /** Called after the last data. `signal` is a number, 0 for none. */
    onExit(listener: (end: { exitCode: number; signal?: number }) => void): void;
    /** Without a listener, errors are thrown where they cannot be caught. */
    on(event: 'error', listener: (error: Error) => void): void;
    write(data: string): void;
    resize(columns: number, rows: number): void;
    kill(signal?: string): void;
    pause(): void;
    resume(): void;
  }
  export type IPty = TerminalProcess;
  /** @param args a string is a complete command line, on Windows only */
  export function spawn(
    file: string,
    args: string[] | string,
    options: {
      cwd: string;
      env: Record<string, string>;
      cols: number;
      rows: number;
      /** Null for bytes; default: UTF-8 strings. */
      encoding?: null;
    },
  ): TerminalProcess;
}
