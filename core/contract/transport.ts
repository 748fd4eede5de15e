import type { Dispose } from '../base/clock.ts';
import { type ErrorBody, AppError } from '../base/errors.ts';
import type { DesktopCallName, DesktopInput, DesktopOutput, DesktopMessage } from './desktop-calls.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from './operations.ts';

/** Response of an operation over IPC, which only transfers the message of an exception. */
export type Envelope<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ErrorBody };

/** Callbacks of a stream's subscriber. */
export interface StreamObserver<Item> {
  item(item: Item): void;
  /** The stream has ended; no further calls follow. Without an error, it was closed normally. */
  end(error?: ErrorBody): void;
  /** Resume position without an item: after the event with this ID. */
  position?(id: number): void;
  /**
   * Resolves when the items have been consumed; a producer with many items waits for it. Undefined: continue
   * immediately.
   */
  drained?(): Promise<void> | undefined;
  /** Called when the stream cannot start at once; the promise resolves when it has started or has ended with an error. */
  starting?(settled: Promise<void>): void;
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

/** Base path of the operations and streams on the server. */
export const apiPrefix = '/api/v2';

/** Base path of services with version 1. */
export const v1Prefix = '/api/v1';

/** Returns the base path of an operation. */
export const getPrefix = ({ version }: { readonly version?: 1 }): string =>
  version === 1 ? v1Prefix : apiPrefix;

/** Names of the server-sent events of a stream; each has JSON data. */
export const streamEvents = {
  /** One item; its `id`, if any, is the resume position. The default name of the format. */
  item: 'message',
  /** The stream has ended normally; reconnecting would only end again. Data: `{}`. */
  end: 'end',
  /** The stream has ended with an error. Data: an error body `{code, message, details?}`. */
  error: 'error',
} as const;

/** Interval of comments on an idle stream, so that both sides detect a broken connection. */
export const heartbeatMs = 15_000;

/** Lists the names of the `{…}` segments of a path, in order. */
export function listPathFields(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1]!);
}

/** Whether an operation's other input fields are sent in the query string rather than in the JSON body. */
export const sendsInputInQuery = (method: string): boolean => method === 'GET' || method === 'DELETE';

/** Request and response of one operation: name, input → `Envelope`. */
export const operationChannel = 'stepwright:call';
/** Starts a stream: id chosen by the window, name, input. */
export const followChannel = 'stepwright:follow';
/** Ends a stream: id. */
export const unfollowChannel = 'stepwright:unfollow';
/** Message of a stream to the window: id, `StreamMessage`. */
export const followMessageChannel = 'stepwright:follow-message';
/** Number of items of a stream that the window has consumed: id, count; sent for every `itemsPerAcknowledgement`th. */
export const consumedChannel = 'stepwright:taken';
export const itemsPerAcknowledgement = 8;
/** Request and response of one call of the desktop app: name, input → `Envelope`. */
export const desktopChannel = 'stepwright:desktop';
/** Subscribes the page to messages of the desktop app: no arguments. */
export const desktopFollowChannel = 'stepwright:desktop-follow';
/** Message of the desktop app to the page: `DesktopMessage`. */
export const desktopMessageChannel = 'stepwright:desktop-message';
/** Paths of files that were dropped on the window: paths. */
export const droppedFilesChannel = 'stepwright:dropped-files';
/** Opens a log file in a system program: address, target → `Envelope`. */
export const openLogFileChannel = 'stepwright:open-log-file';

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

/** Identifies an artifact. */
export type ArtifactRef = Pick<OperationInput<'runs.artifactBytes'>, 'name' | 'dagRunId' | 'artifact'>;

/** Calls `runs.artifactBytes`. */
export type CallArtifactBytes = (
  input: OperationInput<'runs.artifactBytes'>,
) => Promise<OperationOutput<'runs.artifactBytes'>>;

/** A part of an artifact. */
export interface ArtifactPart {
  /** Base64. */
  readonly data: string;
  /** Offset after the part. */
  readonly next: number;
  /** Size of the whole artifact in bytes. */
  readonly size: number;
}

/** Size of a part in bytes; the maximum of the operation. */
const partBytes = 1_048_576;

/** Returns the number of bytes that base64 encodes, excluding padding. */
const countBytes = (data: string): number => Math.floor((data.replace(/=+$/, '').length * 3) / 4);

/**
 * Yields an artifact from `from` (inclusive) to `to` (exclusive) or its end, in parts that fit in memory; none if it
 * is empty.
 * @param known its `mark`, if a part was read before
 * @throws `conflict` if it is replaced in the meantime, and errors of the operation
 */
export async function* readArtifact(
  call: CallArtifactBytes,
  address: ArtifactRef,
  { from = 0, to = Infinity, known }: { from?: number; to?: number; known?: string } = {},
): AsyncGenerator<ArtifactPart> {
  let etag = known;
  for (let offset = from, end = to; offset < end;) {
    const { data, size, ...part } = await call({
      ...address,
      offset,
      length: Math.min(partBytes, end - offset),
    });
    etag ??= part.mark;
    end = Math.min(to, size);
    if (part.mark !== etag || (data === '' && offset < end))
      throw new AppError(
        'conflict',
        `Artifact "${address.artifact}" changed while it was being read. Download it again.`,
      );
    offset += countBytes(data);
    if (data !== '') yield { data, next: offset, size };
  }
}
