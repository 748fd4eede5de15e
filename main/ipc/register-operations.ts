import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { AppError, toAppError, toErrorBody } from '../../core/base/errors.ts';
import type { Envelope } from '../../core/contract/transport/bridge.ts';
import { operationChannel } from '../../core/contract/transport/ipc-channels.ts';
import type { OperationInput, OperationName } from '../../core/contract/operations.ts';
import type { Caller, EngineApi } from '../../core/index.ts';
import { isTrustedSender } from './trusted-sender.ts';

/** The user at the machine, as the caller of the desktop window's operations. */
export const windowCaller: Caller = { via: 'ipc', name: 'window' };

/** Tracks the operations that the window has requested. */
export interface RequestedOperations {
  /** Resolves when all operations requested so far have finished. */
  settled(): Promise<void>;
}

/**
 * Handles the window's operations. Replies are envelopes, because Electron only transfers the message of a
 * thrown error. The engine validates name and input, as on every transport.
 * @param onDone called after each successful operation
 */
export function registerOperations(
  ipcMain: Pick<IpcMain, 'handle'>,
  api: EngineApi,
  onDone: (name: OperationName) => void = () => {},
): RequestedOperations {
  const pending = new Set<Promise<unknown>>();
  const answer = async (
    event: IpcMainInvokeEvent,
    name: unknown,
    input: unknown,
  ): Promise<Envelope<unknown>> => {
    try {
      if (!isTrustedSender(event))
        throw new AppError('forbidden', 'Only the app’s own window may call the engine');
      const value = await api.call(
        name as OperationName,
        input as OperationInput<OperationName>,
        windowCaller,
      );
      onDone(name as OperationName);
      return { ok: true, value };
    } catch (error) {
      return { ok: false, error: toErrorBody(toAppError(error)) };
    }
  };
  ipcMain.handle(operationChannel, (event, name: unknown, input: unknown) => {
    const answering = answer(event, name, input);
    pending.add(answering);
    void answering.then(() => pending.delete(answering));
    return answering;
  });
  return {
    async settled() {
      await Promise.all(pending);
    },
  };
}
