import type { Dispose } from '../../core/base/clock.ts';
import { AppError } from '../../core/base/errors.ts';
import type { Bridge, Envelope, StreamObserver } from '../../core/contract/transport/bridge.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';
import type { DesktopCallName, DesktopInput, DesktopOutput } from '../../core/contract/desktop/calls.ts';
import type { PreloadApi } from '../../core/contract/transport/preload-api.ts';
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
    async openLogFile(address, place) {
      open(await api.openLogFile(address, place));
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
