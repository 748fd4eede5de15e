import type { App } from 'electron';
import { linkScheme } from './deep-link.ts';
import { readLaunchArgs } from './launch-args.ts';
import type { LinkOpener } from './link-opener.ts';
import type { OpenEventQueue } from './openings.ts';

/** Command line and environment of the process start. */
export interface ProcessStart {
  readonly argv: readonly string[];
  readonly folder: string;
  /** Started by Electron with the program's directory, as in development: Windows needs both. */
  readonly isDefaultApp: boolean;
  readonly execPath: string;
  readonly openings: OpenEventQueue;
}

/**
 * Registers the app for its links and opens what the system passes to it: by events on macOS, otherwise on the
 * command line of this or a second start.
 * @returns whether something was opened
 */
export function handleOpenEvents(
  app: Pick<App, 'setAsDefaultProtocolClient'>,
  opener: Pick<LinkOpener, 'openLink' | 'openFile' | 'openArgs'>,
  start: ProcessStart,
): boolean {
  // Packages register the scheme themselves; then this changes nothing.
  if (start.isDefaultApp) app.setAsDefaultProtocolClient(linkScheme, start.execPath, [start.argv[1] ?? '.']);
  else app.setAsDefaultProtocolClient(linkScheme);
  const hasCome = start.openings.setHandler(({ kind, what }) => {
    if (kind === 'link') opener.openLink(what);
    else void opener.openFile(what);
  });
  return opener.openArgs(launchArgs(start), start.folder) || hasCome;
}

/** Whether the app was started to open something. */
export function hasOpenRequest(start: ProcessStart): boolean {
  const { links, files } = readLaunchArgs(launchArgs(start), start.folder);
  return links.length + files.length > 0 || start.openings.hasPending;
}

/** Returns the app's own arguments: those after the program, and in development after its directory. */
export const launchArgs = ({
  argv,
  isDefaultApp,
}: Pick<ProcessStart, 'argv' | 'isDefaultApp'>): readonly string[] => argv.slice(isDefaultApp ? 2 : 1);
