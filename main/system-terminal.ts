import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { AppError } from '../core/base/errors.ts';

/** A program with its arguments. */
export type Argv = readonly [program: string, ...args: string[]];

/** Terminals of Linux desktops, the user's default first, with the arguments for the working directory. */
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

/** Inputs of the search for the system's terminal. */
export interface TerminalContext {
  readonly platform: NodeJS.Platform;
  /** `$TERMINAL`, which some users set. */
  readonly chosen?: string | undefined;
  /** Whether a program is in PATH. */
  has(program: string): boolean;
}

/** Returns the command that opens the system's terminal in a directory; undefined if none is known. */
export function systemTerminalCommand(
  { platform, chosen, has }: TerminalContext,
  folder: string,
): Argv | undefined {
  if (platform === 'darwin') return ['open', '-a', 'Terminal', folder];
  if (platform === 'win32')
    return has('wt.exe') ? ['wt.exe', '-d', folder] : ['cmd.exe', '/d', '/c', 'start', 'cmd.exe'];
  if (chosen !== undefined && chosen !== '' && has(chosen)) return [chosen];
  const terminal = linuxTerminals.find(([program]) => has(program));
  return terminal && [terminal[0], ...terminal[1](folder)];
}

/**
 * Opens the system's terminal in a directory.
 * @throws `unavailable` if there is none
 */
export function openSystemTerminal(folder: string): void {
  const context = {
    platform: process.platform,
    chosen: process.env['TERMINAL'],
    has: (program: string) => isOnPath(program, process.env),
  };
  const argv = systemTerminalCommand(context, folder);
  if (argv === undefined) {
    throw new AppError(
      'unavailable',
      `No terminal found. Set TERMINAL to the terminal to use. Folder: ${folder}`,
    );
  }
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd: folder, detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

/** Whether a program can be started by its name. */
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
