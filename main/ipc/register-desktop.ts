import type { IpcMain } from 'electron';
import { AppError, toAppError, toErrorBody } from '../../core/base/errors.ts';
import {
  desktopCalls,
  type DesktopCallName,
  type DesktopInput,
  type DesktopOutput,
} from '../../core/contract/desktop/calls.ts';
import type { Envelope } from '../../core/contract/transport/bridge.ts';
import { desktopChannel } from '../../core/contract/transport/ipc-channels.ts';
import { checkInput } from '../../core/index.ts';
import { isTrustedSender } from './trusted-sender.ts';

/** Handlers of the window's calls to the desktop app. They throw an `AppError` to reject. */
export type DesktopHandlers = {
  readonly [Name in DesktopCallName]: (
    input: DesktopInput<Name>,
  ) => DesktopOutput<Name> | Promise<DesktopOutput<Name>>;
};

/** Handles the calls of {@link desktopCalls}, from the app's own page and with valid input only. */
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
  if (typeof name !== 'string' || !Object.hasOwn(desktopCalls, name))
    throw new AppError('not_found', `Unknown desktop app call "${String(name)}"`);
  const call = name as DesktopCallName;
  checkInput(desktopCalls[call].input, input);
  return (handlers[call] as (input: unknown) => unknown)(input);
}
