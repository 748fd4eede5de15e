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

/** Reply of an operation over IPC, which hands over only the message of a thrown error. */
export type Envelope<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ErrorBody };

/** What a stream's subscriber is told. */
export interface StreamObserver<Item> {
  item(item: Item): void;
  /** The stream is over; no call follows. Absent error: the other side closed it in order. */
  end(error?: ErrorBody): void;
  /** Where a stream that is resumed goes on, although there was no item: after the event with this id. */
  place?(id: number): void;
  /** Resolves when what was handed over has been taken; who has a lot at hand waits for it. Undefined: go on. */
  drained?(): Promise<void> | undefined;
  /** Nobody looks at what it does: it may hear a quarter of a second late what other hosts of the home do. */
  readonly isPatient?: boolean;
}

/** A log file of an attempt, or of one item of it. */
export type LogFileAddress = StreamInput<'logs.follow'>;
/** `editor`: in the program that the system has for such files; `folder`: where it lies, in the file manager. */
export type LogFilePlace = 'editor' | 'folder';

/** The desktop app around the engine, for its own window. */
export interface DesktopBridge {
  /** Rejects with an `AppError`. */
  call<Name extends DesktopCallName>(name: Name, input: DesktopInput<Name>): Promise<DesktopOutput<Name>>;
  follow(onMessage: (message: DesktopMessage) => void): Dispose;
  /** Puts workflow files (`File`) that a person has given to the window into the list of recent ones. */
  noteFiles(files: readonly object[]): void;
}

/**
 * How a client reaches an engine, whatever carries it: IPC in the desktop window, HTTP and
 * server-sent events in a browser, plain calls in tests. `call` rejects with an `AppError`.
 */
export interface Bridge {
  readonly transport: 'ipc' | 'http' | 'direct';
  call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>>;
  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ): Dispose;
  /** Shows a log file outside the application; only where that runs on the machine of the engine. */
  readonly openLogFile?: ((address: LogFileAddress, place: LogFilePlace) => Promise<void>) | undefined;
  /** Only in the window of the desktop app. */
  readonly desktop?: DesktopBridge | undefined;
}
