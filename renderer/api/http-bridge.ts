// A file of its own: only pages of a server load it, not the desktop app.
import { openClient } from '../../core/contract/client/client.ts';
import type { Clock, Dispose } from '../../core/base/clock.ts';
import type { Bridge, StreamObserver } from '../../core/contract/transport.ts';
import type {
  OperationInput,
  OperationName,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';
import { setConnection } from './connection.ts';

/**
 * Creates the bridge of a page served over HTTP.
 * @param url address of the server, with its base path
 */
export function createHttpBridge(url: string, clock: Clock): Bridge {
  const client = openClient({ url, clock });
  return {
    transport: 'http',
    call: <Name extends OperationName>(name: Name, input: OperationInput<Name>) =>
      // Drafts and layouts are often saved while the page is closing.
      client.call(name, input, { outlivesPage: name === 'drafts.put' || name === 'layouts.put' }),
    follow: <Name extends StreamName>(
      name: Name,
      input: StreamInput<Name>,
      observer: StreamObserver<StreamItem<Name>>,
    ): Dispose =>
      client.follow(name, input, {
        item: (item) => observer.item(item),
        end: (error) => observer.end(error),
        // One stream determines the connection state: the one that is always open.
        ...(name === 'events.follow' && {
          open: () => setConnection('online'),
          lost: () => setConnection('reconnecting'),
        }),
      }),
  };
}
