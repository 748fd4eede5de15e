/** What a terminal needs of a pseudo-terminal; `node-pty` gives it. */
export interface Pty {
  readonly pid: number;
  /** Name of the program in the foreground. */
  readonly process: string;
  onData(listener: (data: string) => void): void;
  onExit(listener: (end: { exitCode: number }) => void): void;
  write(data: string): void;
  resize(columns: number, rows: number): void;
  kill(signal?: string): void;
  pause(): void;
  resume(): void;
}

/** How one is opened. Throws what the system says. */
export interface PtyRequest {
  readonly program: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

export type OpenPty = (request: PtyRequest) => Promise<Pty>;

/** Opens one of the system; the native part is loaded by the first. */
export const openPty: OpenPty = async ({ program, folder, environment, columns, rows }) => {
  const { spawn } = await import('node-pty');
  return spawn(program, [], {
    cwd: folder,
    env: { ...environment, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    cols: columns,
    rows,
  });
};
