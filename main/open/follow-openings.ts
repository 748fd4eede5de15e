import type { App } from 'electron';
import { linkScheme } from './deep-link.ts';
import { readLaunchWords } from './launch-words.ts';
import type { Opener } from './opener.ts';
import type { Openings } from './openings.ts';

/** The process as it was started. */
export interface OwnStart {
  readonly argv: readonly string[];
  readonly folder: string;
  /** Started through Electron with the folder of the program, as in development: Windows has to be told both. */
  readonly isDefaultApp: boolean;
  readonly execPath: string;
  readonly openings: Openings;
}

/**
 * Has the system hand links to this app, and shows what it hands over: on macOS by events, elsewhere on the command
 * line of this start or of a second one. @returns whether that was something already
 */
export function followOpenings(
  app: Pick<App, 'setAsDefaultProtocolClient'>,
  opener: Pick<Opener, 'openLink' | 'openFile' | 'openWords'>,
  start: OwnStart,
): boolean {
  // A package says so in its own way; where it has, this changes nothing.
  if (start.isDefaultApp) app.setAsDefaultProtocolClient(linkScheme, start.execPath, [start.argv[1] ?? '.']);
  else app.setAsDefaultProtocolClient(linkScheme);
  const hasCome = start.openings.handTo(({ kind, what }) => {
    if (kind === 'link') opener.openLink(what);
    else void opener.openFile(what);
  });
  return opener.openWords(ownWords(start), start.folder) || hasCome;
}

/** Whether the app was started to show something, and not only itself. */
export function asksForSomething(start: OwnStart): boolean {
  const { links, files } = readLaunchWords(ownWords(start), start.folder);
  return links.length + files.length > 0 || start.openings.isWaiting;
}

/** The words of a command line that are the app's own: those after the program, and in development after its folder. */
export const ownWords = ({
  argv,
  isDefaultApp,
}: Pick<OwnStart, 'argv' | 'isDefaultApp'>): readonly string[] => argv.slice(isDefaultApp ? 2 : 1);
