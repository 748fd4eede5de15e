import type { Intake } from './intake.ts';
import type { ReceivedStore, Receiver } from './ports.ts';
import type { Receivers } from './receivers.ts';

/** Webhooks that come to this home, as the API and the server see them. */
export interface Inbound {
  readonly receivers: Receivers;
  readonly store: ReceivedStore;
  /** What takes requests; opened when the first one comes. */
  intake(): Promise<Intake>;
  /** Where the server is reached that takes them, without a slash at the end. */
  baseUrl(): string;
  /** Workflow files that listen to a receiver, by name. */
  listenersOf(receiver: Receiver): Promise<string[]>;
  /** Removes a receiver with everything that came to it. Throws `not_found`. */
  remove(id: string): Promise<Receiver>;
  /**
   * A server takes requests from now on: what was taken before and has not been started yet is started now, by this host.
   * @param url where it is reached
   */
  serve(url: string): void;
}
