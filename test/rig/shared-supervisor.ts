import { Duplex } from 'node:stream';
import {
  encodeMessage,
  MessageDecoder,
  type SupervisorCommand,
  type SupervisorEvent,
} from '../../core/process/supervisor/protocol.ts';
import {
  hasSupervisor,
  startSupervisor,
  type SupervisorProcess,
} from '../../core/process/supervisor/start-supervisor.ts';

let shared: SharedSupervisor | undefined;

/**
 * A channel to the step supervisor of this test worker, for one more engine: starting one for each engine costs more
 * than most tests. A test that kills or halts its supervisor needs its own.
 */
export function shareSupervisor(): SupervisorProcess | undefined {
  if (!hasSupervisor) return undefined;
  if (shared === undefined || shared.isGone) shared = new SharedSupervisor();
  return shared.connect();
}

/** One supervisor and a channel for each engine, whose commands get ids that are unique among all of them. */
class SharedSupervisor {
  isGone = false;
  readonly #process = startSupervisor();
  readonly #channels = new Set<Duplex>();
  readonly #open = new Map<number, { readonly channel: Duplex; readonly id: number }>();
  /** Channels waiting for a pong, in the order of the responses. */
  readonly #pings: Duplex[] = [];
  #orders = 0;
  #isReady = false;

  constructor() {
    const { channel } = this.#process;
    const decoder = new MessageDecoder<SupervisorEvent>();
    channel.on('data', (bytes: Buffer) => {
      for (const report of decoder.decode(bytes)) this.#onMessage(report);
    });
    channel.on('close', () => {
      this.isGone = true;
      for (const each of this.#channels) each.destroy();
    });
  }

  connect(): SupervisorProcess {
    const decoder = new MessageDecoder<SupervisorCommand>();
    const channel: Duplex = new Duplex({
      read() {},
      write: (bytes: Buffer, _encoding, done) => {
        for (const command of decoder.decode(bytes)) this.#give(command, channel);
        done();
      },
      destroy: (error, done) => {
        this.#channels.delete(channel);
        done(error);
      },
    });
    this.#channels.add(channel);
    if (this.#isReady) channel.push(encodeMessage({ id: 0, type: 'ready' }));
    // The test worker stays alive by itself.
    return { pid: this.#process.pid, channel: Object.assign(channel, { ref() {}, unref() {} }) };
  }

  #give(command: SupervisorCommand, channel: Duplex): void {
    if (command.type === 'ping') {
      this.#pings.push(channel);
      this.#process.channel.write(encodeMessage(command));
      return;
    }
    this.#orders += 1;
    this.#open.set(this.#orders, { channel, id: command.id });
    this.#process.channel.write(encodeMessage({ ...command, id: this.#orders }));
  }

  #onMessage(report: SupervisorEvent): void {
    if (report.type === 'ready') {
      this.#isReady = true;
      for (const channel of this.#channels) tell(channel, report);
    } else if (report.type === 'alive') {
      tell(this.#pings.shift(), report);
    } else {
      const command = this.#open.get(report.id);
      if (report.type !== 'started') this.#open.delete(report.id);
      tell(command?.channel, { ...report, id: command?.id ?? 0 } as SupervisorEvent);
    }
  }
}

/** A closed engine receives nothing. */
function tell(channel: Duplex | undefined, report: SupervisorEvent): void {
  if (channel?.destroyed === false) channel.push(encodeMessage(report));
}
