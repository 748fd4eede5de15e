import type { Dispose } from '../../base/clock.ts';
import type { ErrorBody } from '../../base/errors.ts';
import type { DesktopCallName, DesktopInput, DesktopOutput } from '../desktop/calls.ts';
import type { DesktopMessage } from '../desktop/messages.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../operations.ts';

/** Response of an operation over IPC, which only transfers the message of an exception. */
export type Envelope<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ErrorBody };

/** Callbacks of a stream's subscriber. */
export interface StreamObserver<Item> {
  item(item: Item): void;
  /** The stream has ended; no further calls follow. Without an error, it was closed normally. */
  end(error?: ErrorBody): void;
  /** Resume position without an item: after the event with this id. */
  place?(id: number): void;
  /**
   * Resolves when the items have been consumed; a producer with many items waits for it. Undefined: continue
   * immediately.
   */
  drained?(): Promise<void> | undefined;
  /** A background subscriber: it may receive changes of other hosts up to a quarter of a second late. */
  readonly isPatient?: boolean;
}

/** A log file of an attempt, or of one of its items. */
export type LogFileRef = StreamInput<'logs.follow'>;
/** `editor`: in the system's default program; `folder`: in the file manager. */
export type LogFileTarget = 'editor' | 'folder';

/** The desktop app, for its own window. */
export interface DesktopBridge {
  /** Rejects with an `AppError`. */
  call<Name extends DesktopCallName>(name: Name, input: DesktopInput<Name>): Promise<DesktopOutput<Name>>;
  follow(onMessage: (message: DesktopMessage) => void): Dispose;
  /** Adds workflow files (`File`) that the user dropped on or opened in the window to the list of recent files. */
  noteFiles(files: readonly object[]): void;
}

/**
 * Connection of a client to an engine: IPC in the desktop window, HTTP and server-sent events in a browser, direct
 * calls in tests. `call` rejects with an `AppError`.
 */
export interface Bridge {
  readonly transport: 'ipc' | 'http' | 'direct';
  call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>>;
  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ): Dispose;
  /** Opens a log file outside the application; only on the engine's machine. */
  readonly openLogFile?: ((address: LogFileRef, target: LogFileTarget) => Promise<void>) | undefined;
  /** Only in the window of the desktop app. */
  readonly desktop?: DesktopBridge | undefined;
}
