import { readFileSync } from 'node:fs';
import type { StartRequest } from '../../core/api/engine-host.ts';
import type { PasswordCost } from '../../core/api/auth/passwords.ts';
import type { Logger } from '../../core/base/logger.ts';
import { openEngine, type Caller, type EngineHost, type Keychain } from '../../core/index.ts';
import type { RunRef } from '../../core/model/run.ts';
import type { OperationOutput } from '../../core/contract/operations.ts';
import { placeEmptyDatabase } from './databases/empty-database.ts';
import { FakeClock } from './fake-clock.ts';
import { shareSupervisor } from './shared-supervisor.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';
import { onTestCleanup } from './on-test-cleanup.ts';

export type RunView = OperationOutput<'runs.get'>;

export const testCaller: Caller = { via: 'cli', name: 'the test' };

/** Makes logins fast. */
export const fastPasswordCost: PasswordCost = { logN: 4, r: 1, p: 1 };

/** A real engine with its own home, real processes, and a clock that the test advances. */
export class TestEngine {
  readonly home: string;
  readonly clock: FakeClock;
  readonly host: EngineHost;
  /** Warnings and errors logged by the engine. */
  readonly reports: string[] = [];

  constructor(options: { home?: string; clock?: FakeClock; keychain?: Keychain } = {}) {
    this.home = options.home ?? makeTemporaryFolder();
    if (options.home === undefined) placeEmptyDatabase(this.home);
    this.clock = options.clock ?? new FakeClock();
    const report = (message: string): void => void this.reports.push(message);
    const logger: Logger = { info() {}, warn: report, error: report };
    this.host = openEngine({
      home: this.home,
      clock: this.clock,
      logger,
      version: 'test',
      passwordCost: fastPasswordCost,
      keychain: options.keychain,
      supervisor: shareSupervisor(),
    });
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

  get(run: RunRef): Promise<RunView> {
    return this.host.api.call('runs.get', run, testCaller);
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

/** Stdout of the latest attempt. */
export function stdoutOf(view: RunView, name: string): string {
  const step = [...view.steps, ...view.handlers].find((candidate) => candidate.name === name);
  return readFileSync(step!.attempts.at(-1)!.stdoutFile, 'utf8');
}
