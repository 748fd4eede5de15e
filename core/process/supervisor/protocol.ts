import type { LaunchFailure, LaunchRequest, ProcessEnd } from '../launch/launcher.ts';
import type { ProcessIdentity } from '../living/process-table.ts';

/** A process that the supervisor is to start; `id` is the engine's number for it. */
export interface StartOrder extends Pick<LaunchRequest, 'argv' | 'env' | 'cwd' | 'attemptDir'> {
  readonly do: 'start';
  readonly id: number;
  /** See `StartFence`; nothing of it when there are pipes, because the engine has opened the files then. */
  readonly isFencePassed: boolean;
  /** Named pipes for stdout and stderr that the engine reads from; it also writes the exit record then. */
  readonly pipes?: readonly string[] | undefined;
}

/** Named pipes that the supervisor is to make. */
export interface PipesOrder {
  readonly do: 'make pipes';
  readonly id: number;
  readonly paths: readonly string[];
}

/** Asks for a sign of life; answered at once, whatever waits. */
export interface PingOrder {
  readonly do: 'ping';
  readonly id: 0;
}

/** What the engine asks of its supervisor. */
export type Order = StartOrder | PipesOrder | PingOrder;

/** What the supervisor tells of an order, in this order; `id` 0: of itself. */
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

/** One line for one message. JSON carries every text, lone surrogates included, and has no line break in it. */
export const encodeMessage = (message: Order | Report): string => `${JSON.stringify(message)}\n`;

const lineBreak = 0x0a;

/** Makes messages of the bytes of a stream, whatever pieces they come in. */
export class MessageDecoder<Message extends Order | Report> {
  #pieces: Buffer[] = [];

  /** The messages that these bytes complete. */
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
