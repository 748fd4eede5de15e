import type { DeliveryReceiver } from './delivery-receiver.ts';
import type { ReceivedStore, Receiver } from '../../store/types/receivers.ts';
import type { Receivers } from './receivers.ts';

/** Incoming webhooks of this home, for the API and the server. */
export interface IncomingWebhooks {
  readonly receivers: Receivers;
  readonly store: ReceivedStore;
  /** Returns the request handler; opened at the first request. */
  intake(): Promise<DeliveryReceiver>;
  /** URL of the receiving server, without a trailing slash. */
  baseUrl(): string;
  /** Returns the names of workflow files that listen to a receiver. */
  listenersOf(receiver: Receiver): Promise<string[]>;
  /** Deletes a receiver with all its deliveries. Throws `not_found`. */
  remove(id: string): Promise<Receiver>;
  /**
   * Called when a server accepts requests: this host now starts the runs of earlier deliveries that have not been
   * started.
   * @param url URL of the server
   */
  serve(url: string): void;
}
