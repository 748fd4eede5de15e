import { statSync } from 'node:fs';
import path from 'node:path';
import type { IpcMainEvent, IpcMainInvokeEvent, IpcMain, WebContents } from 'electron';
import { AppError, toAppError, toErrorBody } from '../core/base/errors.ts';
import type {
  DesktopCallName,
  DesktopInput,
  DesktopOutput,
  DesktopMessage,
} from '../core/contract/desktop-calls.ts';
import {
  type Envelope,
  desktopChannel,
  droppedFilesChannel,
  desktopFollowChannel,
  desktopMessageChannel,
} from '../core/contract/transport.ts';
import { acceptsInput, loadInputChecker } from '../core/index.ts';
import { appOrigin } from './app-scheme.ts';
import { callChecks } from './desktop-checks.ts';
import { isYamlFile } from './launch-args.ts';
import type { RecentFiles } from './link-opener.ts';

/**
 * Whether a message comes from the top frame of the app's own page; a frame is null after it has navigated
 * away.
 */
export function isTrustedSender({
  senderFrame,
}: Pick<IpcMainInvokeEvent | IpcMainEvent, 'senderFrame'>): boolean {
  return senderFrame !== null && senderFrame.parent === null && senderFrame.origin === appOrigin;
}

/** Handlers of the window's calls to the desktop app. They throw an `AppError` to reject. */
export type DesktopHandlers = {
  readonly [Name in DesktopCallName]: (
    input: DesktopInput<Name>,
  ) => DesktopOutput<Name> | Promise<DesktopOutput<Name>>;
};

/** Handles the window's calls, from the app's own page and with valid input only. */
export function registerDesktop(ipcMain: Pick<IpcMain, 'handle'>, handlers: DesktopHandlers): void {
  ipcMain.handle(desktopChannel, async (event, name: unknown, input: unknown): Promise<Envelope<unknown>> => {
    try {
      if (!isTrustedSender(event))
        throw new AppError('forbidden', 'Only the app’s own window may call the desktop app');
      return { ok: true, value: await answer(handlers, name, input) };
    } catch (error) {
      return { ok: false, error: toErrorBody(toAppError(error)) };
    }
  });
}

async function answer(handlers: DesktopHandlers, name: unknown, input: unknown): Promise<unknown> {
  if (typeof name !== 'string' || !Object.hasOwn(callChecks, name))
    throw new AppError('not_found', `Unknown desktop app call "${String(name)}"`);
  const call = name as DesktopCallName;
  if (!acceptsInput(callChecks[call], input)) await explainInput(call, input);
  return (handlers[call] as (input: unknown) => unknown)(input);
}

/** Throws what is wrong with an input; loads the schemas, which valid calls do not need. */
async function explainInput(call: DesktopCallName, input: unknown): Promise<never> {
  const checkInput = await loadInputChecker();
  const { desktopCalls } = await import('../core/contract/desktop-calls.ts');
  checkInput(desktopCalls[call].input, input);
  throw new AppError('bad_request', `Invalid input of ${call}.`);
}

/** Maximum number of files in one drop. */
const maxFiles = 10;

/**
 * Adds workflow files dropped on the window to the list of recent files. The preload script asks the system for
 * their paths, so a page can only name files that the user dropped on it.
 */
export function registerDroppedFiles(
  ipcMain: Pick<IpcMain, 'on'>,
  recent: Pick<RecentFiles, 'add' | 'paths'>,
): void {
  ipcMain.on(droppedFilesChannel, (event, files: unknown) => {
    if (!isTrustedSender(event) || !Array.isArray(files)) return;
    const known = files.slice(0, maxFiles).filter(isWorkflowFile);
    for (const file of known.toReversed()) if (recent.paths[0] !== file) recent.add(file);
  });
}

/** Whether a path is that of a workflow file; a file created by the page itself has no path. */
const isWorkflowFile = (file: unknown): file is string =>
  typeof file === 'string' &&
  path.isAbsolute(file) &&
  isYamlFile(file) &&
  statSync(file, { throwIfNoEntry: false })?.isFile() === true;

/** Maximum number of buffered messages; older ones are dropped. */
const maxCached = 20;

/** Messages from the desktop app to the page, buffered until it listens. */
export class WindowMailbox {
  readonly #pending: DesktopMessage[] = [];
  #page: WebContents | undefined;

  constructor(ipcMain: Pick<IpcMain, 'on'>) {
    ipcMain.on(desktopFollowChannel, (event) => {
      if (isTrustedSender(event)) this.#onMessage(event.sender);
    });
  }

  /** Whether a page is listening. */
  get isPageListening(): boolean {
    return this.#page !== undefined && !this.#page.isDestroyed();
  }

  notify(message: DesktopMessage): void {
    if (this.#page !== undefined && this.isPageListening) this.#page.send(desktopMessageChannel, message);
    else this.#pending.splice(0, Math.max(0, this.#pending.push(message) - maxCached));
  }

  #onMessage(page: WebContents): void {
    if (this.#page !== page) {
      const leave = (): void => {
        if (this.#page === page) this.#page = undefined;
      };
      page.once('did-navigate', leave);
      page.once('render-process-gone', leave);
      page.once('destroyed', leave);
    }
    this.#page = page;
    for (const message of this.#pending.splice(0)) this.notify(message);
  }
}
