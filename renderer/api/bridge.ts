import { createContext, useContext } from 'react';
import type { Dispose, Clock } from '../../core/base/clock.ts';
import { AppError } from '../../core/base/errors.ts';
import {
  type Bridge,
  type Envelope,
  type StreamObserver,
  type PreloadApi,
  preloadApiKey,
} from '../../core/contract/transport.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';
import type { DesktopCallName, DesktopInput, DesktopOutput } from '../../core/contract/desktop-calls.ts';
import { appRoot } from '../base/app-root.ts';
import { loadChunk } from '../base/lazy-component.ts';
import { setConnection } from './connection.ts';

/** Creates the bridge of the desktop window, which uses the API of the preload script. */
export function createPreloadBridge(api: PreloadApi): Bridge {
  // The engine runs in the process that owns this window, so the connection cannot be lost.
  setConnection('online');
  return {
    transport: 'ipc',
    async call<Name extends OperationName>(name: Name, input: OperationInput<Name>) {
      return open(await api.call(name, input)) as OperationOutput<Name>;
    },
    follow: <Name extends StreamName>(
      name: Name,
      input: StreamInput<Name>,
      observer: StreamObserver<StreamItem<Name>>,
    ): Dispose =>
      api.follow(name, input, (message) => {
        if (message.kind === 'item') observer.item(message.item);
        else observer.end(message.error);
      }),
    async openLogFile(address, target) {
      open(await api.openLogFile(address, target));
    },
    desktop: {
      async call<Name extends DesktopCallName>(name: Name, input: DesktopInput<Name>) {
        return open(await api.desktop(name, input)) as DesktopOutput<Name>;
      },
      follow: (onMessage) => api.onDesktop(onMessage),
      noteFiles: (files) => api.noteFiles(files),
    },
  };
}

function open<Value>(reply: Envelope<Value>): Value {
  if (reply.ok) return reply.value;
  const { code, message, details } = reply.error;
  throw new AppError(code, message, details === undefined ? {} : { details });
}

/**
 * Connects to the engine: by IPC if the preload script provides it, otherwise by HTTP to the server of this
 * page.
 */
export async function pickBridge(clock: Clock): Promise<Bridge> {
  const api = (window as unknown as Record<string, PreloadApi | undefined>)[preloadApiKey];
  if (api) return createPreloadBridge(api);
  // Loaded on demand, because the desktop window does not need the HTTP routes.
  const { createHttpBridge } = await loadChunk(() => import('./http-bridge.ts'));
  return createHttpBridge(appRoot().href, clock);
}

const BridgeContext = createContext<Bridge | undefined>(undefined);
export const BridgeProvider = BridgeContext.Provider;

/** Returns the bridge to the engine from context. */
export function useBridge(): Bridge {
  const bridge = useContext(BridgeContext);
  if (!bridge) throw new Error('useBridge is used outside BridgeProvider');
  return bridge;
}
