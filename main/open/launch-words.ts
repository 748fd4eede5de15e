import path from 'node:path';
import { linkScheme } from './deep-link.ts';

/** What somebody wants shown when they start the app, or start it once more. */
export interface LaunchWish {
  readonly links: readonly string[];
  /** Absolute paths. */
  readonly files: readonly string[];
}

/** Options of the app that take the next word. */
const optionsWithValue = ['--engine-home'];

/** More at once is a mistake. */
const mostWishes = 5;

/**
 * Finds the links and workflow files on a command line. What else stands there, options of Electron and of Chromium
 * above all, is left alone.
 * @param argv without the program
 * @param folder where relative paths begin
 */
export function readLaunchWords(argv: readonly string[], folder: string): LaunchWish {
  const links: string[] = [];
  const files: string[] = [];
  for (const [index, word] of argv.entries()) {
    if (word.toLowerCase().startsWith(`${linkScheme}:`)) links.push(word);
    else if (!word.startsWith('-') && !optionsWithValue.includes(argv[index - 1] ?? '') && isYamlFile(word))
      files.push(path.resolve(folder, word));
  }
  return { links: links.slice(0, mostWishes), files: files.slice(0, mostWishes) };
}

/** Whether a path is one of the files that the app opens. */
export const isYamlFile = (file: string): boolean => /\.ya?ml$/i.test(file);

/** Options with which the system starts the app at login. */
export const hiddenFlag = '--hidden';

/** What tells a start at login from one by a person. */
export interface StartFacts {
  readonly argv: readonly string[];
  readonly platform: NodeJS.Platform;
  /** macOS gives login items no words, and says it itself. */
  wasOpenedAtLogin(): boolean;
}

/** Whether the app begins without a window. */
export const startsHidden = ({ argv, platform, wasOpenedAtLogin }: StartFacts): boolean =>
  argv.includes(hiddenFlag) || (platform === 'darwin' && wasOpenedAtLogin());
