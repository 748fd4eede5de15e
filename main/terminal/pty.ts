/** The used parts of a pseudo-terminal from `node-pty`. */
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

/** Options of a pseudo-terminal. Opening throws the system's error. */
export interface PtyRequest {
  readonly program: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

export type OpenPty = (request: PtyRequest) => Promise<Pty>;

/** Opens a pseudo-terminal; the first call loads the native module. */
export const openPty: OpenPty = async ({ program, folder, environment, columns, rows }) => {
  const { spawn } = await import('node-pty');
  return spawn(program, [], {
    cwd: folder,
    env: { ...environment, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    cols: columns,
    rows,
  });
};
