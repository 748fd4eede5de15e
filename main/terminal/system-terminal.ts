import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../core/base/errors.ts';

/** A program with its arguments. */
export type Argv = readonly [program: string, ...args: string[]];

/** Terminals of Linux desktops, the person's own choice first, and how each is told where to begin. */
const linuxTerminals: readonly (readonly [program: string, args: (folder: string) => string[]])[] = [
  ['x-terminal-emulator', () => []],
  ['gnome-terminal', (folder) => [`--working-directory=${folder}`]],
  ['kgx', (folder) => [`--working-directory=${folder}`]],
  ['ptyxis', (folder) => ['--new-window', `--working-directory=${folder}`]],
  ['konsole', (folder) => ['--workdir', folder]],
  ['xfce4-terminal', (folder) => [`--working-directory=${folder}`]],
  ['kitty', (folder) => ['--directory', folder]],
  ['alacritty', (folder) => ['--working-directory', folder]],
  ['foot', (folder) => [`--working-directory=${folder}`]],
  ['xterm', () => []],
];

/** What is looked at to find the terminal of the system. */
export interface TerminalFacts {
  readonly platform: NodeJS.Platform;
  /** `$TERMINAL`, which some people set. */
  readonly chosen?: string | undefined;
  /** Whether a program is on PATH. */
  has(program: string): boolean;
}

/** The command that opens the system's terminal in a folder; undefined when none is known. */
export function findTerminal({ platform, chosen, has }: TerminalFacts, folder: string): Argv | undefined {
  if (platform === 'darwin') return ['open', '-a', 'Terminal', folder];
  if (platform === 'win32')
    return has('wt.exe') ? ['wt.exe', '-d', folder] : ['cmd.exe', '/d', '/c', 'start', 'cmd.exe'];
  if (chosen !== undefined && chosen !== '' && has(chosen)) return [chosen];
  const found = linuxTerminals.find(([program]) => has(program));
  return found && [found[0], ...found[1](folder)];
}

/** Opens the terminal of the system in a folder. Throws `unavailable` when there is none. */
export function openSystemTerminal(folder: string): void {
  const facts = {
    platform: process.platform,
    chosen: process.env['TERMINAL'],
    has: (program: string) => isOnPath(program, process.env),
  };
  const argv = findTerminal(facts, folder);
  if (argv === undefined) {
    throw new AppError(
      'unavailable',
      `No terminal program found. Set TERMINAL to the one you use. Folder: ${folder}`,
    );
  }
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd: folder, detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

/** Whether a program can be started by its name alone. */
export function isOnPath(program: string, { PATH = '' }: NodeJS.ProcessEnv): boolean {
  if (path.isAbsolute(program)) return isExecutable(program);
  return PATH.split(path.delimiter).some(
    (folder) => folder !== '' && isExecutable(path.join(folder, program)),
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
