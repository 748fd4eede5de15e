import type { IpcMain, Shell } from 'electron';
import type { OperationName } from '../../core/contract/operations.ts';
import { checkInputs, type EngineApi } from '../../core/index.ts';
import { registerLogFiles } from './register-log-files.ts';
import { registerOperations, type RequestedOperations } from './register-operations.ts';
import { registerStreams, type LiveStreams } from './register-streams.ts';

/** Gives the window access to the engine. @param onDone called after each successful operation */
export function registerWindowHandlers(
  { ipcMain, shell }: { readonly ipcMain: Pick<IpcMain, 'handle' | 'on'>; readonly shell: Shell },
  engineApi: EngineApi,
  onDone: (name: OperationName) => void,
): { operations: RequestedOperations; streams: LiveStreams } {
  const api = checkInputs(engineApi);
  const operations = registerOperations(ipcMain, api, onDone);
  registerLogFiles(ipcMain, api, shell);
  return { operations, streams: registerStreams(ipcMain, api) };
}
