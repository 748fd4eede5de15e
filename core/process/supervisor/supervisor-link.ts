import { encodeMessage, MessageDecoder, type Order, type Report } from './protocol.ts';
import type { SupervisorProcess } from './start-supervisor.ts';

/** What is told of one order: its reports, or that nobody is left who could tell. */
export interface OrderListener {
  hear(report: Report): void;
  /** The supervisor is gone. */
  lose(): void;
}

/** Order types without their number, which the link gives them. */
export type UnnumberedOrder = {
  [Kind in Order['do']]: Omit<Extract<Order, { do: Kind }>, 'id'>;
}[Order['do']];

/** The engine's end of the channel to one supervisor. It keeps the event loop alive while orders are open. */
export class SupervisorLink {
  readonly pid: number;
  readonly #channel: SupervisorProcess['channel'];
  readonly #open = new Map<number, OrderListener>();
  readonly #onLost: () => void;
  #orders = 0;
  #wasReady = false;
  #isLost = false;

  /** @param onLost called once when the supervisor is gone, after everybody who waits has been told */
  constructor({ pid, channel }: SupervisorProcess, onLost: () => void) {
    this.pid = pid;
    this.#channel = channel;
    this.#onLost = onLost;
    const decoder = new MessageDecoder<Report>();
    channel.on('data', (bytes: Buffer) => {
      for (const report of decoder.decode(bytes)) this.#hear(report);
    });
    channel.on('close', () => this.#lose());
  }

  /** Whether it has ever come to life. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  give(order: UnnumberedOrder, listener: OrderListener): void {
    if (this.#open.size === 0) this.#channel.ref();
    this.#orders += 1;
    this.#open.set(this.#orders, listener);
    this.#channel.write(encodeMessage({ ...order, id: this.#orders }));
  }

  /** Lets the supervisor go: it leaves after its last step. Nobody is told anything any more. */
  close(): void {
    this.#open.clear();
    this.#isLost = true;
    this.#channel.unref();
    this.#channel.destroy();
  }

  #hear(report: Report): void {
    if (report.tells === 'ready') this.#wasReady = true;
    const listener = this.#open.get(report.id);
    if (report.tells !== 'started') this.#open.delete(report.id);
    if (this.#open.size === 0) this.#channel.unref();
    listener?.hear(report);
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const left = [...this.#open.values()];
    this.#open.clear();
    for (const listener of left) listener.lose();
    this.#onLost();
  }
}
