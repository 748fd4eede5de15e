/** The package is installed under an alias; its types know only its own name. */
declare module 'node-pty' {
  interface TerminalProcess {
    onData(listener: (data: string) => void): void;
    onExit(listener: (end: { exitCode: number; signal?: number }) => void): void;
    write(data: string): void;
    kill(signal?: string): void;
  }
  export type IPty = TerminalProcess;
  export function spawn(
    file: string,
    args: readonly string[],
    options: { cwd: string; env: Record<string, string>; cols: number; rows: number },
  ): TerminalProcess;
}
