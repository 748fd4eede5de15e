import path from 'node:path';
import { linkScheme } from './deep-link.ts';

/** Links and files that the command line of a first or second start asks to open. */
export interface OpenRequest {
  readonly links: readonly string[];
  /** Absolute paths. */
  readonly files: readonly string[];
}

/** Options of the app with a separate value. */
const optionsWithValue = ['--engine-home'];

/** Larger numbers are probably a mistake. */
const maxRequests = 5;

/**
 * Finds links and workflow files on a command line. Other arguments, mainly options of Electron and Chromium,
 * are ignored.
 * @param argv without the program
 * @param folder base of relative paths
 */
export function readLaunchArgs(argv: readonly string[], folder: string): OpenRequest {
  const links: string[] = [];
  const files: string[] = [];
  for (const [index, word] of argv.entries()) {
    if (word.toLowerCase().startsWith(`${linkScheme}:`)) links.push(word);
    else if (!word.startsWith('-') && !optionsWithValue.includes(argv[index - 1] ?? '') && isYamlFile(word))
      files.push(path.resolve(folder, word));
  }
  return { links: links.slice(0, maxRequests), files: files.slice(0, maxRequests) };
}

/** Whether the app opens files with this path. */
export const isYamlFile = (file: string): boolean => /\.ya?ml$/i.test(file);

/** Option with which the system starts the app at login. */
export const hiddenFlag = '--hidden';

/** Data that distinguishes a start at login from one by the user. */
export interface StartContext {
  readonly argv: readonly string[];
  readonly platform: NodeJS.Platform;
  /** macOS passes no arguments to login items but provides this. */
  wasOpenedAtLogin(): boolean;
}

/** Whether the app starts without a window. */
export const shouldStartHidden = ({ argv, platform, wasOpenedAtLogin }: StartContext): boolean =>
  argv.includes(hiddenFlag) || (platform === 'darwin' && wasOpenedAtLogin());
