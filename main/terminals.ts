import type {
  TerminalLocation,
  DesktopInput,
  DesktopOutput,
  DesktopMessage,
} from '../core/contract/desktop-calls.ts';
import type { Engine } from '../core/index.ts';
import { AppError, getErrorMessage } from '../core/base/errors.ts';
import { windowCaller } from './engine-ipc.ts';
import type { DesktopHandlers } from './desktop-ipc.ts';

type TerminalHost = Pick<Engine, 'api' | 'locateStep' | 'locateWorkflow'>;

/** Returns the working directory and title of a terminal. Rejects if there is none. */
export async function resolveTerminalLocation(engine: TerminalHost, location: TerminalLocation) {
  if ('fileName' in location)
    return { title: location.fileName, ...(await engine.locateWorkflow(location.fileName)) };
  const { name, dagRunId, step } = location;
  const run = await engine.api.call('runs.get', { name, dagRunId }, windowCaller);
  return { title: step ?? name, ...(await engine.locateStep(run, step)) };
}

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

type OpenPty = (request: PtyRequest) => Promise<Pty>;

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

/** Number of unacknowledged characters after which the program is paused. */
const maxUnread = 256 * 1024;
/** Maximum number of terminals per window. */
const maxOpen = 12;

interface Terminal {
  readonly pty: Pty;
  readonly shell: string;
  untaken: number;
  isHeld: boolean;
}

/** The open terminals of the window. They end with it. */
export class Terminals {
  readonly #engine: Pick<Engine, 'api' | 'locateStep' | 'locateWorkflow'>;
  readonly #startPty: OpenPty;
  /** Sends a message to the page; without a listener it is dropped. */
  readonly #notify: (message: DesktopMessage) => void;
  readonly #open = new Map<number, Terminal>();
  #lastId = 0;

  constructor(
    engine: Pick<Engine, 'api' | 'locateStep' | 'locateWorkflow'>,
    startPty: OpenPty,
    notify: (message: DesktopMessage) => void,
  ) {
    this.#engine = engine;
    this.#startPty = startPty;
    this.#notify = notify;
  }

  /** Names of foreground programs other than the shells themselves. */
  get busy(): readonly string[] {
    return [...this.#open.values()]
      .map(({ pty, shell }) => ({ program: baseName(pty.process), shell: baseName(shell) }))
      .filter(({ program, shell }) => program !== '' && program !== shell)
      .map(({ program }) => program);
  }

  /** Rejects with `too_many_requests`, or if there is no working directory. */
  async start({
    place,
    columns,
    rows,
  }: DesktopInput<'terminal.start'>): Promise<DesktopOutput<'terminal.start'>> {
    if (this.#open.size >= maxOpen)
      throw new AppError(
        'too_many_requests',
        `Too many open terminals (maximum ${maxOpen}). Close one first.`,
      );
    const { title, folder, environment, shell } = await resolveTerminalLocation(this.#engine, place);
    let pty: Pty;
    try {
      pty = await this.#startPty({ program: shell, folder, environment, columns, rows });
    } catch (error) {
      throw new AppError('unavailable', `Could not start ${shell} in ${folder}: ${getErrorMessage(error)}`);
    }
    const id = (this.#lastId += 1);
    this.#follow(id, { pty, shell, untaken: 0, isHeld: false });
    return { id, title, folder };
  }

  write(id: number, data: string): void {
    this.#find(id).pty.write(data);
  }

  resize(id: number, columns: number, rows: number): void {
    this.#find(id).pty.resize(columns, rows);
  }

  /** Called when the page has rendered this many more characters. */
  take(id: number, count: number): void {
    const terminal = this.#open.get(id);
    if (terminal === undefined) return;
    terminal.untaken = Math.max(0, terminal.untaken - count);
    if (!terminal.isHeld || terminal.untaken > maxUnread / 2) return;
    terminal.isHeld = false;
    terminal.pty.resume();
  }

  close(id: number): void {
    const terminal = this.#open.get(id);
    this.#open.delete(id);
    // Like a closing terminal, SIGHUP ends the shell, which passes it on to its programs.
    terminal?.pty.kill(process.platform === 'win32' ? undefined : 'SIGHUP');
  }

  /** Called when the page has closed. */
  closeAll(): void {
    for (const id of [...this.#open.keys()]) this.close(id);
  }

  #follow(id: number, terminal: Terminal): void {
    this.#open.set(id, terminal);
    const { pty } = terminal;
    pty.onData((data) => {
      if (!this.#open.has(id)) return;
      this.#notify({ kind: 'terminal_output', id, data });
      terminal.untaken += data.length;
      if (terminal.isHeld || terminal.untaken < maxUnread) return;
      terminal.isHeld = true;
      pty.pause();
    });
    pty.onExit(({ exitCode }) => {
      if (this.#open.delete(id)) this.#notify({ kind: 'terminal_ended', id, exitCode });
    });
  }

  #find(id: number): Terminal {
    const terminal = this.#open.get(id);
    if (terminal === undefined) throw new AppError('not_found', `Terminal ${id} has exited`);
    return terminal;
  }
}

const baseName = (program: string): string =>
  (program.split(/[\\/]/).at(-1) ?? '').replace(/^-/, '').replace(/\.exe$/i, '');

type TerminalCall = Extract<keyof DesktopHandlers, `terminal.${string}`>;

/** Handles the window's calls for terminals. @param openHere opens the system's terminal */
export const terminalHandlers = (
  terminals: Terminals,
  openHere: (location: DesktopInput<'terminal.openHere'>['place']) => Promise<void>,
): Pick<DesktopHandlers, TerminalCall> => ({
  'terminal.openHere': async ({ place }) => {
    await openHere(place);
    return {};
  },
  'terminal.start': (options) => terminals.start(options),
  'terminal.write': ({ id, data }) => {
    terminals.write(id, data);
    return {};
  },
  'terminal.resize': ({ id, columns, rows }) => {
    terminals.resize(id, columns, rows);
    return {};
  },
  'terminal.taken': ({ id, count }) => {
    terminals.take(id, count);
    return {};
  },
  'terminal.close': ({ id }) => {
    terminals.close(id);
    return {};
  },
});
