import { PostgresFailure, type SessionFailure, type SessionRequest, type SessionResult } from './requests.ts';

/** A request of an operation, with the transaction that it belongs to. */
export type OperationRequest = Pick<SessionRequest, 'steps' | 'timeoutMs' | 'begins' | 'ends'>;

/** The reply to a request. */
type Reply = { readonly results: readonly SessionResult[] } | { readonly failure: SessionFailure };

/** Interrupts operations at a request whose reply has not arrived yet. A stack trace for each would be slow. */
const interruption = new Error('the reply has not arrived yet');

/**
 * Runs a synchronous operation without waiting: it is interrupted at the first request without a reply, and runs again
 * from its start, with all replies so far, when that has arrived. So it must make the same requests each time. Its
 * transaction stays open on one connection meanwhile, with its locks.
 */
export class Replay {
  readonly #replies: (Reply | undefined)[] = [];
  readonly #send: (request: OperationRequest) => Promise<readonly SessionResult[]>;
  readonly #texts: string[] = [];
  #next = 0;
  /** The request that the operation was interrupted at. */
  #interrupted: OperationRequest | undefined;
  /** Whether the operation has made another request than before. */
  #hasDeviated = false;

  /** @param send sends a request on the connection of this operation */
  constructor(send: (request: OperationRequest) => Promise<readonly SessionResult[]>) {
    this.#send = send;
  }

  /**
   * Runs the operation once; returns undefined when it was interrupted.
   * @throws what the operation throws
   */
  attempt<Value>(operation: () => Value): { readonly value: Value } | undefined {
    this.#next = 0;
    this.#interrupted = undefined;
    try {
      const value = operation();
      if (this.#interrupted === undefined) return { value };
      // The promise of this attempt is rejected with the interruption.
      if (value instanceof Promise) value.catch(() => undefined);
    } catch (error) {
      if (this.#interrupted === undefined) throw error;
    }
    return undefined;
  }

  /** Sends the request that the operation was interrupted at, and keeps its reply. */
  async proceed(): Promise<void> {
    try {
      this.#replies.push({ results: await this.#send(this.#interrupted!) });
    } catch (error) {
      if (!(error instanceof PostgresFailure)) throw error;
      this.#replies.push({ failure: error.failure });
    }
  }

  /**
   * @returns the result of each step
   * @throws PostgresFailure of the first step that failed
   * @throws the interruption while there is no reply
   */
  ask(request: OperationRequest): readonly SessionResult[] {
    if (this.#interrupted !== undefined) throw interruption;
    const index = this.#take(request);
    const reply = this.#replies[index];
    if (reply === undefined) {
      this.#interrupted = request;
      throw interruption;
    }
    if ('failure' in reply) throw new PostgresFailure(reply.failure);
    return reply.results;
  }

  /** Sends a request whose end does not matter. */
  send(request: OperationRequest): void {
    if (this.#interrupted !== undefined) return;
    if (!this.#hasDeviated) {
      const index = this.#take(request);
      if (index < this.#replies.length) return;
      this.#replies.push(undefined);
    }
    this.#send(request).catch(() => undefined);
  }

  #take({ steps }: OperationRequest): number {
    const index = this.#next;
    this.#next += 1;
    const text = steps.map((step) => step.text).join(';');
    this.#texts[index] ??= text;
    this.#hasDeviated = this.#texts[index] !== text;
    if (this.#hasDeviated) throw new Error('an operation of the store made another request than before');
    return index;
  }
}
