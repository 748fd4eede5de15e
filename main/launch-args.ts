import { resolve } from 'node:path';
import type { App } from 'electron';
import { dagNamePattern, fileNamePattern, runIdPattern } from '../core/base/ids.ts';
import type { LinkOpener } from './link-opener.ts';

/** Application id on Windows, and of the shortcut for its notifications; same as in electron-builder.yml. */
export const appId = 'io.stepwright.app';

/** The scheme of links into the app. */
const linkScheme = 'stepwright';

/** Target of a link: an address of the window, or why the link is invalid. */
export type DeepLinkTarget =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Links are untrusted; longer ones are rejected without parsing. */
const maxLinkLength = 2048;
const maxStepNameLength = 1000;

/** Prefix of a handler's name, since a step may have the same name as a handler. */
const handlerMark = 'handler:';

/**
 * Parses a link into the app (docs/desktop.md):
 * - `stepwright://run/NAME/RUN-ID[/STEP][#L120]`, where a handler is written `handler:onExit`
 * - `stepwright://dag/FILE[#L12]`
 *
 * Links only open pages. Every part must be a valid name of the engine, so that a link cannot lead elsewhere.
 */
export function readDeepLink(link: string): DeepLinkTarget {
  if (link.length > maxLinkLength) return invalidLink('the link is too long');
  const match = /^stepwright:\/\/([a-z]+)\/([^?#]*)(?:#(.*))?$/i.exec(link);
  if (!match) return invalidLink('unknown link type');
  const [, kind = '', path = '', fragment] = match;
  const segments = decodeSegments(path);
  const line = readLine(fragment);
  if (segments === undefined || line === null) return invalidLink('the link is malformed');
  if (kind === 'run') return readRunLink(segments, line);
  if (kind === 'dag') return readDagLink(segments, line);
  return invalidLink(`unknown link target "${kind}"`);
}

const invalidLink = (reason: string): DeepLinkTarget => ({ kind: 'refused', reason });

function decodeSegments(path: string): readonly string[] | undefined {
  try {
    return path.replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Returns undefined without a fragment, null for an invalid one. */
function readLine(fragment: string | undefined): number | undefined | null {
  if (fragment === undefined || fragment === '') return undefined;
  const [, line] = /^L([1-9]\d{0,8})$/.exec(fragment) ?? [];
  return line === undefined ? null : Number(line);
}

function readRunLink(segments: readonly string[], line: number | undefined): DeepLinkTarget {
  const [name = '', dagRunId = '', step, ...rest] = segments;
  if (rest.length > 0 || !fits(name, dagNamePattern) || !fits(dagRunId, runIdPattern))
    return invalidLink('no valid run');
  if (step !== undefined && (step === '' || step.length > maxStepNameLength || /\p{Cc}/u.test(step)))
    return invalidLink('no valid step');
  const query = new URLSearchParams();
  if (step?.startsWith(handlerMark) === true) query.set('handler', step.slice(handlerMark.length));
  else if (step !== undefined) query.set('step', step);
  if (step !== undefined && line !== undefined) query.set('line', String(line));
  return address(`/runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}`, query);
}

function readDagLink(segments: readonly string[], line: number | undefined): DeepLinkTarget {
  const [file = '', ...rest] = segments;
  const name = file.replace(/\.ya?ml$/i, '');
  if (rest.length > 0 || !fits(name, fileNamePattern)) return invalidLink('no valid workflow');
  const query = new URLSearchParams(line === undefined ? {} : { line: String(line) });
  return address(`/dags/${encodeURIComponent(name)}${line === undefined ? '' : '/edit'}`, query);
}

/** A name that consists only of dots would be a directory. */
const fits = (text: string, pattern: string): boolean =>
  new RegExp(pattern).test(text) && !/^\.+$/.test(text);

const address = (path: string, query: URLSearchParams): DeepLinkTarget => ({
  kind: 'address',
  address: `#${path}${query.size === 0 ? '' : `?${query.toString()}`}`,
});

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
      files.push(resolve(folder, word));
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

/** A link, or the absolute path of a file, that macOS passes to the app. */
export interface OpenEvent {
  readonly kind: 'link' | 'file';
  readonly what: string;
}

/** Buffers openings until a handler is set. */
export interface OpenEventQueue {
  /** Whether unhandled openings are buffered. */
  readonly hasPending: boolean;
  /** @returns whether there were buffered openings */
  setHandler(take: (opening: OpenEvent) => void): boolean;
}

/**
 * Listens from the start, since the app may have been started for an opening: before `ready`, and before the
 * engine exists.
 */
export function createOpenEventQueue(app: Pick<App, 'on'>): OpenEventQueue {
  const buffered: OpenEvent[] = [];
  let take: ((opening: OpenEvent) => void) | undefined;
  const hear = (event: { preventDefault(): void }, opening: OpenEvent): void => {
    event.preventDefault();
    if (take === undefined) buffered.push(opening);
    else take(opening);
  };
  app.on('open-url', (event, what) => hear(event, { kind: 'link', what }));
  app.on('open-file', (event, what) => hear(event, { kind: 'file', what }));
  return {
    get hasPending() {
      return buffered.length > 0;
    },
    setHandler(taker) {
      take = taker;
      const early = buffered.splice(0);
      for (const opening of early) taker(opening);
      return early.length > 0;
    },
  };
}
