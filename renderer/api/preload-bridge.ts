import type { Dispose } from '../../core/base/clock.ts';
import { AppError } from '../../core/base/errors.ts';
import type { Bridge, StreamObserver } from '../../core/contract/transport/bridge.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';
import type { PreloadApi } from '../../core/contract/transport/preload-api.ts';
import { setConnection } from './connection.ts';

/** The bridge of the desktop window: everything goes through what the preload has exposed. */
export function createPreloadBridge(api: PreloadApi): Bridge {
  // The engine lives in the process that owns this window; there is no connection to lose.
  setConnection('online');
  return {
    transport: 'ipc',
    async call<Name extends OperationName>(name: Name, input: OperationInput<Name>) {
      const reply = await api.call(name, input);
      if (reply.ok) return reply.value as OperationOutput<Name>;
      const { code, message, details } = reply.error;
      throw new AppError(code, message, details === undefined ? {} : { details });
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
      const reply = await api.openLogFile(address, place);
      if (!reply.ok) throw new AppError(reply.error.code, reply.error.message);
    },
  };
}
