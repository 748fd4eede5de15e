import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { MessagePipe } from './message-pipe.ts';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

interface PendingCommand {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

type SendRaw = (method: string, parameters: unknown) => Promise<unknown>;

/** The DevTools protocol of one target, or of the browser. */
export class DevToolsSession {
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #sendRaw: SendRaw;

  constructor(sendRaw: SendRaw) {
    this.#sendRaw = sendRaw;
  }

  /** @throws Error with the method's name if the browser rejects the call or has exited */
  send<Method extends keyof Commands>(
    method: Method,
    ...parameters: Commands[Method]['paramsType']
  ): Promise<Commands[Method]['returnType']> {
    return this.#sendRaw(method, parameters[0] ?? {}) as Promise<Commands[Method]['returnType']>;
  }

  /** Subscribes. @returns a function that unsubscribes */
  on<Name extends keyof Events>(event: Name, listener: (...payload: Events[Name]) => void): () => void {
    const wrapped = (payload: unknown): void => listener(...([payload] as Events[Name]));
    this.#events.on(event, wrapped);
    return () => this.#events.off(event, wrapped);
  }

  /** Dispatches an event of the browser. */
  dispatch(event: string, payload: unknown): void {
    this.#events.emit(event, payload);
  }
}

/** A connection to a browser over its debugging pipe, with any number of attached targets ("flat" sessions). */
export class DevToolsConnection {
  /** The browser itself. */
  readonly browser = new DevToolsSession((method, parameters) => this.#send(method, parameters));
  readonly #pipe: MessagePipe;
  readonly #sessions = new Map<string, DevToolsSession>();
  readonly #pending = new Map<number, PendingCommand>();
  #lastId = 0;
  #closed = false;

  constructor(output: Writable, input: Readable) {
    this.#pipe = new MessagePipe(
      output,
      input,
      (text) => this.#receive(JSON.parse(text) as Answer),
      () => this.#failPending(),
    );
  }

  /** Opens a session with one target. */
  async attach(targetId: string): Promise<DevToolsSession> {
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = new DevToolsSession((method, parameters) => this.#send(method, parameters, sessionId));
    this.#sessions.set(sessionId, session);
    return session;
  }

  #send(method: string, parameters: unknown, sessionId?: string): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error(`${method}: the browser is gone`));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
      this.#pipe.send(JSON.stringify({ id, method, params: parameters, sessionId }));
    });
  }

  #receive(answer: Answer): void {
    if (answer.id === undefined) {
      const session = answer.sessionId ? this.#sessions.get(answer.sessionId) : this.browser;
      session?.dispatch(answer.method ?? '', answer.params);
      return;
    }
    const command = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.error) command?.reject(new Error(`${command.method}: ${answer.error.message}`));
    else command?.resolve(answer.result);
  }

  #failPending(): void {
    this.#closed = true;
    for (const { method, reject } of this.#pending.values())
      reject(new Error(`${method}: the browser is gone`));
    this.#pending.clear();
  }
}
