import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StartRequest } from '../../../../core/api/engine-host.ts';
import type { RunEvent } from '../../../../core/model/run-event.ts';
import type { RunRef } from '../../../../core/model/run.ts';
import { openDatabase } from '../../../../core/store/open-store.ts';
import { FakeClock } from '../../../rig/fake-clock.ts';
import { makeTemporaryFolder } from '../../../rig/temporary-folder.ts';
import { TestEngine, testCaller, type RunView } from '../../../rig/test-engine.ts';
import { until } from '../../../rig/until.ts';

/** Shell text that signals its start (file `<name>.begun`) and runs until the test releases it (file `<name>.go`). */
export const waitFor = (name: string): string =>
  `echo x >> ${name}.begun; while [ ! -e ${name}.go ]; do sleep 0.01; done`;

/** A run whose host stops, and the hosts that come after it, all on one home and one clock. */
export class RecoveryScenario {
  readonly folder = makeTemporaryFolder();
  readonly clock = new FakeClock();
  engine = new TestEngine({ clock: this.clock });
  run!: RunRef;
  /** Of the process that a test is about. */
  pid: number | undefined;

  async start(spec: string, request: Partial<StartRequest> = {}): Promise<RunRef> {
    this.run = await this.engine.start(spec, { defaultWorkingDir: this.folder, ...request });
    return this.run;
  }

  /** Releases a step that waits by `waitFor`. */
  go(name: string): void {
    writeFileSync(path.join(this.folder, `${name}.go`), '');
  }

  /** Makes a step wait once more. */
  again(name: string): void {
    for (const end of ['go', 'begun']) rmSync(path.join(this.folder, `${name}.${end}`));
  }

  /** Changes the database in ways the engine never does. */
  changeStore(sql: string): void {
    const database = openDatabase(path.join(this.engine.home, 'data/engine.db'));
    database.run(sql);
    database.close();
  }

  /** Resolves when a step waits by `waitFor`. */
  waitForStart(name: string): Promise<void> {
    return until(() => existsSync(path.join(this.folder, `${name}.begun`)));
  }

  /** Lines that steps have written into a file. */
  lines(file: string): string[] {
    const full = path.join(this.folder, file);
    return existsSync(full) ? readFileSync(full, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** The host stops executing; its processes continue, and the supervisor records their results. */
  async onLeaseLost(): Promise<void> {
    await this.engine.untilRun(this.run, () => true);
    await this.engine.host.close('leave');
  }

  /** Another host recovers everything. Returns the names of the runs. */
  async recoverRuns(): Promise<string[]> {
    this.engine = new TestEngine({ home: this.engine.home, clock: this.clock });
    const taken = await this.engine.host.recoverRuns();
    return taken.map(({ name }) => name);
  }

  /** Requests the run's end, as any process can. */
  async stop(): Promise<void> {
    await this.engine.host.api.call('runs.stop', this.run, testCaller);
  }

  /** Lets the engine do everything that needs no time to pass. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Events of one type so far. */
  async eventsOf(type: RunEvent['type']): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    const dispose = this.engine.host.api.follow(
      'events.follow',
      { ...this.run, after: 0 },
      { item: ({ event }) => void events.push(event), end() {} },
      testCaller,
    );
    await this.settle();
    dispose();
    return events.filter((event) => event.type === type);
  }

  end(): Promise<RunView> {
    return this.engine.end(this.run);
  }

  untilRun(fits: (view: RunView) => boolean): Promise<RunView> {
    return this.engine.untilRun(this.run, fits);
  }
}

/** A step of a snapshot by its name. */
export const stepOf = (view: RunView, name: string) =>
  [...view.steps, ...view.handlers].find((step) => step.name === name)!;
