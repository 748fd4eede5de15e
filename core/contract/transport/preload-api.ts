import type { Dispose } from '../../base/clock.ts';
import type { ErrorBody } from '../../base/errors.ts';
import type { DesktopCallName, DesktopInput, DesktopOutput } from '../desktop/calls.ts';
import type { DesktopMessage } from '../desktop/messages.ts';
import type { Envelope, LogFileAddress, LogFilePlace } from './bridge.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../operations.ts';

/** What a follower in the window is told; plain data, because it crosses the context bridge. */
export type StreamMessage<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  /** The stream is over; no message follows. Absent error: it was closed in order. */
  | { readonly kind: 'end'; readonly error?: ErrorBody };

/**
 * The frozen object that the preload puts at `window.stepwright`, and the only way out of the desktop
 * window. Nothing here throws or rejects for a refusal: that is what the envelope is for.
 */
export interface PreloadApi {
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<Envelope<OperationOutput<Name>>>;
  /**
   * Follows a stream until the returned function is called. Requests leave in the order of these calls, so
   * a follow made before a `call` misses nothing that happens after that call's picture was taken.
   */
  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    onMessage: (message: StreamMessage<StreamItem<Name>>) => void,
  ): Dispose;
  /** Shows a log file by a program of the system. */
  openLogFile(address: LogFileAddress, place: LogFilePlace): Promise<Envelope<null>>;
  /** Tells of files (`File`) that were given to the window, which knows only their names. */
  noteFiles(files: readonly object[]): void;
  /** Asks something of the desktop app around the engine. */
  desktop<Name extends DesktopCallName>(
    name: Name,
    input: DesktopInput<Name>,
  ): Promise<Envelope<DesktopOutput<Name>>>;
  /** Listens to the desktop app; what it had to tell before is told first. */
  onDesktop(onMessage: (message: DesktopMessage) => void): Dispose;
}

/** Property of `window` under which the preload exposes its {@link PreloadApi}. */
export const preloadApiKey = 'stepwright';
