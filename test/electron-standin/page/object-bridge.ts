/**
 * Messages between the two worlds of a page. Objects are cloned, so functions, promises and errors are passed
 * by reference: `{ standinFunction: id }` and similar.
 */
export interface BridgeMessage {
  readonly kind: 'call' | 'return' | 'throw' | 'settle' | 'expose' | 'expose-failed' | 'open';
  readonly id?: number;
  readonly fulfilled?: boolean;
  readonly value?: unknown;
  readonly key?: string;
  readonly url?: string;
  readonly frameName?: string;
  readonly features?: string;
}

type AnyFunction = (...args: unknown[]) => unknown;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One end of the synchronous object bridge between the page's main world and the preload's isolated world,
 * which share only the DOM. A CustomEvent crosses worlds while it is dispatched and its detail is cloned, so
 * a call has its result before `dispatchEvent` returns. The class is injected as text and uses nothing
 * outside itself.
 */
export class ObjectBridge {
  readonly #outgoing: string;
  readonly #functions = new Map<number, AnyFunction>();
  readonly #functionIds = new WeakMap<AnyFunction, number>();
  readonly #proxies = new Map<number, AnyFunction>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #handlers = new Map<string, (message: BridgeMessage) => void>();
  #lastId = 0;
  /** The response to the call being dispatched. */
  #answer: BridgeMessage | undefined;

  /**
   * @param token a secret name known only to the two ends
   * @param self the name of this end, `other` the name of the other one
   */
  constructor(token: string, self: string, other: string) {
    this.#outgoing = `${token}:${other}`;
    const receive = (event: Event): void => {
      event.stopImmediatePropagation();
      this.#receive((event as CustomEvent<BridgeMessage>).detail);
    };
    globalThis.addEventListener(`${token}:${self}`, receive, true);
  }

  /** Sets the handler for messages other than calls and their responses. */
  handle(kind: BridgeMessage['kind'], handler: (message: BridgeMessage) => void): void {
    this.#handlers.set(kind, handler);
  }

  post(message: BridgeMessage): void {
    globalThis.dispatchEvent(new CustomEvent(this.#outgoing, { detail: message }));
  }

  /** Makes a value cloneable. */
  pack(value: unknown): unknown {
    if (typeof value === 'function') return { standinFunction: this.#register(value as AnyFunction) };
    if (value instanceof Promise) return { standinPromise: this.#follow(value) };
    if (value instanceof Error) {
      return { standinError: { name: value.name, message: value.message, stack: value.stack } };
    }
    if (typeof value === 'symbol') return undefined;
    if (Array.isArray(value)) return value.map((each) => this.pack(each));
    // Class instances lose their class here, as they do in Electron.
    if (Object.prototype.toString.call(value) === '[object Object]') {
      return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, this.pack(each)]));
    }
    return value;
  }

  /** Unpacks a value of the other end. @param freeze for objects that the page must not change */
  unpack(value: unknown, freeze = false): unknown {
    const finish = <T>(result: T): T => (freeze ? Object.freeze(result) : result);
    if (Array.isArray(value)) return finish(value.map((each) => this.unpack(each, freeze)));
    if (Object.prototype.toString.call(value) !== '[object Object]') return value;
    const record = value as Record<string, unknown>;
    if (record['standinFunction']) return this.#proxyFor(record['standinFunction'] as number);
    if (record['standinPromise']) return this.#awaitOther(record['standinPromise'] as number);
    if (record['standinError']) return Object.assign(new Error(), record['standinError']);
    return finish(
      Object.fromEntries(Object.entries(record).map(([key, each]) => [key, this.unpack(each, freeze)])),
    );
  }

  #register(subject: AnyFunction): number {
    const known = this.#functionIds.get(subject);
    if (known) return known;
    const id = ++this.#lastId;
    this.#functionIds.set(subject, id);
    this.#functions.set(id, subject);
    return id;
  }

  #follow(promise: Promise<unknown>): number {
    const id = ++this.#lastId;
    promise.then(
      (value) => this.post({ kind: 'settle', id, fulfilled: true, value: this.pack(value) }),
      (reason) => this.post({ kind: 'settle', id, fulfilled: false, value: this.pack(reason) }),
    );
    return id;
  }

  #awaitOther(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #proxyFor(id: number): AnyFunction {
    const known = this.#proxies.get(id);
    if (known) return known;
    const proxy: AnyFunction = (...args) => this.#call(id, args);
    this.#proxies.set(id, proxy);
    return proxy;
  }

  #call(id: number, args: unknown[]): unknown {
    // The other end may call back before it responds, so an outer call's response is stacked.
    const outer = this.#answer;
    this.#answer = undefined;
    this.post({ kind: 'call', id, value: this.pack(args) });
    const answer = this.#answer as BridgeMessage | undefined;
    this.#answer = outer;
    if (answer?.kind === 'throw') throw this.unpack(answer.value) as Error;
    return this.unpack(answer?.value);
  }

  #receive(message: BridgeMessage): void {
    if (message.kind === 'return' || message.kind === 'throw') this.#answer = message;
    else if (message.kind === 'settle') this.#settle(message);
    else if (message.kind === 'call') this.post(this.#run(message));
    else this.#handlers.get(message.kind)?.(message);
  }

  #settle({ id = 0, fulfilled, value }: BridgeMessage): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (fulfilled) waiting?.resolve(this.unpack(value));
    else waiting?.reject(this.unpack(value));
  }

  #run({ id = 0, value }: BridgeMessage): BridgeMessage {
    try {
      const args = this.unpack(value) as unknown[];
      return { kind: 'return', value: this.pack(this.#functions.get(id)?.(...args)) };
    } catch (error) {
      return { kind: 'throw', value: this.pack(error) };
    }
  }
}
