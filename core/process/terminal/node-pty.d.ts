/** The package is installed under an alias; its types know only its own name. What this engine uses of it. */
declare module 'node-pty' {
  interface TerminalProcess {
    readonly pid: number;
    /** Name of the program in the foreground. */
    readonly process: string;
    /** Gives bytes when `encoding` is null. */
    onData(listener: (data: string) => void): void;
    /** Comes after the last data. `signal` is a number, 0 for none. */
    onExit(listener: (end: { exitCode: number; signal?: number }) => void): void;
    /** What nobody listens for is thrown where nobody can catch it. */
    on(event: 'error', listener: (error: Error) => void): void;
    write(data: string): void;
    resize(columns: number, rows: number): void;
    kill(signal?: string): void;
    pause(): void;
    resume(): void;
  }
  export type IPty = TerminalProcess;
  /** @param args a text is a finished command line, on Windows only */
  export function spawn(
    file: string,
    args: string[] | string,
    options: {
      cwd: string;
      env: Record<string, string>;
      cols: number;
      rows: number;
      /** Null for bytes; text in UTF-8 when absent. */
      encoding?: null;
    },
  ): TerminalProcess;
}
