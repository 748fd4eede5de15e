import { prepareApi } from '../../core/api/create-api.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import type { StartRequest } from '../../core/api/engine-api.ts';
import type { PasswordCost } from '../../core/api/auth/passwords.ts';
import type { Logger } from '../../core/base/logger.ts';
import { type Caller, type Engine, type Keychain, type NotificationContent } from '../../core/index.ts';
import { createEngine } from '../../core/engine.ts';
import { openHome } from '../../core/engine-services.ts';
import type { RunRef } from '../../core/model/run.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../core/contract/operations.ts';
import { openDatabase } from '../../core/store/open-store.ts';
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
} from '../../core/process/supervisor/supervisor-link.ts';
import { loadEngineConfig } from '../../core/home/config/engine-config.ts';
import type { KeyHolder } from '../../core/process/secrets/key-holder.ts';
import { FakeClock } from './fakes.ts';
import { until, onTestCleanup } from './resources.ts';
import { makeEngineHome } from './empty-database.ts';

// Like a server, so that streams start at once.
await prepareApi();

export type RunView = OperationOutput<'runs.get'>;

export const testCaller: Caller = { via: 'cli', name: 'the test' };

/** Makes logins fast. */
export const fastPasswordCost: PasswordCost = { logN: 4, r: 1, p: 1 };

/** A real engine with its own home, real processes, and a clock that the test advances. */
export class TestEngine {
  readonly home: string;
  readonly clock: FakeClock;
  readonly host: Engine;
  /** Warnings and errors logged by the engine. */
  readonly reports: string[] = [];

  constructor(
    options: {
      home?: string;
      clock?: FakeClock;
      keychain?: Keychain;
      appKey?: KeyHolder;
      showNotice?: (content: NotificationContent) => void;
    } = {},
  ) {
    this.home = options.home ?? makeEngineHome();
    this.clock = options.clock ?? new FakeClock();
    const report = (message: string): void => void this.reports.push(message);
    const logger: Logger = { info() {}, warn: report, error: report };
    const input = {
      home: this.home,
      clock: this.clock,
      logger,
      version: 'test',
      passwordCost: fastPasswordCost,
      keychain: options.keychain,
      appKey: options.appKey,
      ...(options.showNotice !== undefined && { showNotice: options.showNotice }),
      supervisor: shareSupervisor(),
    };
    this.host = createEngine(input, openHome(input));
    onTestCleanup(() => this.#whileTimePasses(this.host.close('stop')));
  }

  /** Starts the spec and waits for its end. */
  async run(spec: string, request: Partial<StartRequest> = {}): Promise<RunView> {
    return this.end(await this.start(spec, request));
  }

  /** Waits for the run's end while time advances, at about its real speed. */
  end(run: RunRef): Promise<RunView> {
    return this.#whileTimePasses(this.host.waitForEnd(run));
  }

  start(spec: string, request: Partial<StartRequest> = {}) {
    return this.host.startRun({ source: { spec }, trigger: 'api', ...request });
  }

  call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>> {
    return this.host.api.call(name, input, testCaller);
  }

  get({ name, dagRunId }: RunRef): Promise<RunView> {
    return this.call('runs.get', { name, dagRunId });
  }

  /** Lets the engine do everything that needs no time to pass. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Changes the database in ways the engine never does. */
  changeStore(sql: string): void {
    const database = openDatabase(join(this.home, 'data/engine.db'));
    database.run(sql);
    database.close();
  }

  /** Waits until the run's snapshot matches, while time advances. */
  untilRun(run: RunRef, fits: (view: RunView) => boolean): Promise<RunView> {
    return this.#whileTimePasses(this.#poll(run, fits));
  }

  async #poll(run: RunRef, fits: (view: RunView) => boolean): Promise<RunView> {
    for (;;) {
      const view = await this.get(run);
      if (fits(view)) return view;
      // Reading again at once would take the processor from what the run waits for.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** Clean-up after a process uses the clock. */
  async #whileTimePasses<Value>(waited: Promise<Value>): Promise<Value> {
    let over = false;
    const settled = waited.finally(() => (over = true));
    await until(() => {
      this.clock.advance(2);
      return over;
    });
    return settled;
  }
}

/** Status by name of steps and handlers other than `not_started`. */
export const statusesOf = (view: RunView): Record<string, string> =>
  Object.fromEntries(
    [...view.steps, ...view.handlers]
      .filter(({ status }) => status !== 'not_started')
      .map(({ name, status }) => [name, status]),
  );

/** A step or handler of a snapshot by its name. */
export const getStep = (view: RunView, name: string) =>
  [...view.steps, ...view.handlers].find((step) => step.name === name)!;

/** Stdout of the latest attempt. */
export const stdoutOf = (view: RunView, name: string): string =>
  readFileSync(getStep(view, name).attempts.at(-1)!.stdoutFile, 'utf8');

/** Stderr of the latest attempt. */
export const stderrOf = (view: RunView, name: string): string =>
  readFileSync(getStep(view, name).attempts.at(-1)!.stderrFile, 'utf8');

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

/** The configuration without a file or variables: this folder has no `config.yaml`. */
export const defaultConfig = loadEngineConfig({ home: import.meta.dirname, environment: {} }).config;
