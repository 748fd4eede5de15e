import type { LaunchFailure, LaunchRequest, ProcessEnd } from '../launch/launcher.ts';
import type { ProcessIdentity } from '../living/process-table.ts';

/** Starts a process in the supervisor; `id` is the engine's number for it. */
export interface StartOrder extends Pick<LaunchRequest, 'argv' | 'env' | 'cwd' | 'attemptDir'> {
  readonly do: 'start';
  readonly id: number;
  /** See `StartFence`; unused with pipes, because the engine has opened the files then. */
  readonly isFencePassed: boolean;
  /** Named pipes for stdout and stderr that the engine reads; it also writes the exit record then. */
  readonly pipes?: readonly string[] | undefined;
}

/** Creates named pipes in the supervisor. */
export interface PipesOrder {
  readonly do: 'make pipes';
  readonly id: number;
  readonly paths: readonly string[];
}

/** Requests a response at once, whatever else is waiting. */
export interface PingOrder {
  readonly do: 'ping';
  readonly id: 0;
}

/** A request of the engine to its supervisor. */
export type Order = StartOrder | PipesOrder | PingOrder;

/** Replies of the supervisor to an order, in this sequence; `id` 0: about the supervisor itself. */
export type Report =
  | { readonly id: 0; readonly tells: 'ready' | 'alive' }
  | ({ readonly id: number; readonly tells: 'started' } & ProcessIdentity)
  | {
      readonly id: number;
      readonly tells: 'refused';
      readonly failure: LaunchFailure;
      readonly mayPass: boolean;
      readonly isFencePassed: boolean;
    }
  | ({ readonly id: number; readonly tells: 'ended' } & Pick<
      ProcessEnd,
      'exitCode' | 'signal' | 'finishedAt'
    >)
  | { readonly id: number; readonly tells: 'pipes made' }
  | { readonly id: number; readonly tells: 'no pipes'; readonly code: string | undefined };

/**
 * Encodes a message as one line. JSON can represent every string, including lone surrogates, and contains no line
 * breaks.
 */
export const encodeMessage = (message: Order | Report): string => `${JSON.stringify(message)}\n`;

const lineBreak = 0x0a;

/** Decodes messages from the bytes of a stream, in chunks of any size. */
export class MessageDecoder<Message extends Order | Report> {
  #pieces: Buffer[] = [];

  /** Returns the messages that these bytes complete. */
  decode(bytes: Buffer): Message[] {
    const messages: Message[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineBreak); end >= 0; end = bytes.indexOf(lineBreak, start)) {
      this.#pieces.push(bytes.subarray(start, end));
      messages.push(JSON.parse(Buffer.concat(this.#pieces).toString('utf8')) as Message);
      this.#pieces = [];
      start = end + 1;
    }
    if (start < bytes.length) this.#pieces.push(bytes.subarray(start));
    return messages;
  }
}
