import type { LaunchFailure, LaunchRequest, ExitResult } from '../launcher.ts';
import type { ProcessIdentity } from '../process-table.ts';

/** Starts a process in the supervisor; `id` is the engine's number for it. */
export interface StartCommand extends Pick<LaunchRequest, 'argv' | 'env' | 'cwd' | 'attemptDir'> {
  readonly type: 'start';
  readonly id: number;
  /** See `StartLock`; unused with pipes, because the engine has opened the files then. */
  readonly isLockAcquired: boolean;
  /** Named pipes for stdout and stderr that the engine reads; it also writes the exit record then. */
  readonly pipes?: readonly string[] | undefined;
}

/** Creates named pipes in the supervisor. */
export interface PipesCommand {
  readonly type: 'create-pipes';
  readonly id: number;
  readonly paths: readonly string[];
}

/** Requests a response at once, whatever else is waiting. */
export interface PingCommand {
  readonly type: 'ping';
  readonly id: 0;
}

/** A request of the engine to its supervisor. */
export type SupervisorCommand = StartCommand | PipesCommand | PingCommand;

/** Replies of the supervisor to an order, in this sequence; `id` 0: about the supervisor itself. */
export type SupervisorEvent =
  | { readonly id: 0; readonly type: 'ready' | 'alive' }
  | ({ readonly id: number; readonly type: 'started' } & ProcessIdentity)
  | {
      readonly id: number;
      readonly type: 'refused';
      readonly failure: LaunchFailure;
      readonly isTransient: boolean;
      readonly isLockAcquired: boolean;
    }
  | ({ readonly id: number; readonly type: 'ended' } & Pick<ExitResult, 'exitCode' | 'signal' | 'finishedAt'>)
  | { readonly id: number; readonly type: 'pipes-created' }
  | { readonly id: number; readonly type: 'pipes-failed'; readonly code: string | undefined };

/**
 * Encodes a message as one line. JSON can represent every string, including lone surrogates, and contains no line
 * breaks.
 */
export const encodeMessage = (message: SupervisorCommand | SupervisorEvent): string =>
  `${JSON.stringify(message)}\n`;

const lineBreak = 0x0a;

/** Decodes messages from the bytes of a stream, in chunks of any size. */
export class MessageDecoder<Message extends SupervisorCommand | SupervisorEvent> {
  #chunks: Buffer[] = [];

  /** Returns the messages that these bytes complete. */
  decode(bytes: Buffer): Message[] {
    const messages: Message[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineBreak); end >= 0; end = bytes.indexOf(lineBreak, start)) {
      this.#chunks.push(bytes.subarray(start, end));
      messages.push(JSON.parse(Buffer.concat(this.#chunks).toString('utf8')) as Message);
      this.#chunks = [];
      start = end + 1;
    }
    if (start < bytes.length) this.#chunks.push(bytes.subarray(start));
    return messages;
  }
}
