import type { Dispose } from '../../base/clock.ts';
import type { ErrorBody } from '../../base/errors.ts';
import type { DesktopCallName, DesktopInput, DesktopOutput } from '../desktop/calls.ts';
import type { DesktopMessage } from '../desktop/messages.ts';
import type { Envelope, LogFileRef, LogFileTarget } from './bridge.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../operations.ts';

/** Message of a stream to a subscriber in the window; plain data, because it crosses the context bridge. */
export type StreamMessage<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  /** The stream has ended; no further messages follow. Without an error, it was closed normally. */
  | { readonly kind: 'end'; readonly error?: ErrorBody };

/**
 * The frozen object that the preload script exposes as `window.stepwright`, the only interface of the desktop window
 * to the outside. Nothing here throws or rejects for an error; errors are in the envelope.
 */
export interface PreloadApi {
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<Envelope<OperationOutput<Name>>>;
  /**
   * Follows a stream until the returned function is called. Requests are sent in the order of these calls, so
   * following before a `call` misses no event after the snapshot that the call returns.
   */
  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    onMessage: (message: StreamMessage<StreamItem<Name>>) => void,
  ): Dispose;
  /** Opens a log file in a system program. */
  openLogFile(address: LogFileRef, target: LogFileTarget): Promise<Envelope<null>>;
  /** Passes on files (`File`) that were dropped on or opened in the window, which only knows their names. */
  noteFiles(files: readonly object[]): void;
  /** Calls the desktop app. */
  desktop<Name extends DesktopCallName>(
    name: Name,
    input: DesktopInput<Name>,
  ): Promise<Envelope<DesktopOutput<Name>>>;
  /** Subscribes to messages of the desktop app; earlier messages are delivered first. */
  onDesktop(onMessage: (message: DesktopMessage) => void): Dispose;
}

/** Property of `window` under which the preload exposes its {@link PreloadApi}. */
export const preloadApiKey = 'stepwright';
