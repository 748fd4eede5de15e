import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OperationInput, OperationName, OperationOutput } from '../../../../core/contract/operations.ts';
import type { EnqueueRequest } from '../../../../core/api/engine-host.ts';
import type { RunRef } from '../../../../core/model/run.ts';
import { openDatabase } from '../../../../core/store/open-store.ts';
import { FakeClock } from '../../../rig/fake-clock.ts';
import { makeTemporaryFolder } from '../../../rig/temporary-folder.ts';
import { TestEngine, testCaller, type RunView } from '../../../rig/test-engine.ts';

/** A home with queues whose runs the test controls: each starts, signals that, and waits until it may end. */
export class QueueHarness {
  readonly home = makeTemporaryFolder();
  readonly clock = new FakeClock();
  readonly engine: TestEngine;

  /** @param config of the home, such as `queues: …` */
  constructor(config = '') {
    this.configure(config);
    this.engine = new TestEngine({ home: this.home, clock: this.clock });
  }

  /** Writes the configuration that the next host reads. */
  configure(config: string): void {
    writeFileSync(path.join(this.home, 'config.yaml'), config);
  }

  /** Enqueues a run named after its id: it writes a line into `startedRuns`, then waits for the file `<id>.go`. */
  enqueue(dagRunId: string, request: Partial<EnqueueRequest> = {}, fields = ''): Promise<RunRef> {
    return this.engine.host.enqueueRun({
      source: { spec: this.spec(fields) },
      trigger: 'api',
      dagRunId,
      ...request,
    });
  }

  spec(fields = ''): string {
    const command = `echo $DAG_RUN_ID >> begun; while [ ! -e $DAG_RUN_ID.go ]; do sleep 0.01; done`;
    return `name: job\nworkingDir: ${this.home}\n${fields}\nsteps:\n  - command: '${command}'\n`;
  }

  /** Lets a run end. */
  go(dagRunId: string): void {
    writeFileSync(path.join(this.home, `${dagRunId}.go`), '');
  }

  /** Ids of the started runs, in order. */
  get startedRuns(): string[] {
    const file = path.join(this.home, 'begun');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }

  call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>> {
    return this.engine.host.api.call(name, input, testCaller);
  }

  get(dagRunId: string): Promise<RunView> {
    return this.engine.get({ name: 'job', dagRunId });
  }

  /** Waits until a run is in a status, while time passes. */
  until(dagRunId: string, status: RunView['status']): Promise<RunView> {
    return this.engine.untilRun({ name: 'job', dagRunId }, (view) => view.status === status);
  }

  /** Waits until a run has started its step. */
  untilStarted(dagRunId: string): Promise<RunView> {
    return this.engine.untilRun({ name: 'job', dagRunId }, () => this.startedRuns.includes(dagRunId));
  }

  /** Lets the engine do everything that needs no time to pass. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Changes the database in ways the engine never does. */
  changeStore(sql: string): void {
    const database = openDatabase(path.join(this.home, 'data/engine.db'));
    database.run(sql);
    database.close();
  }

  /** Puts a workflow into the workflow directory. */
  write(fileName: string, text: string): void {
    mkdirSync(path.join(this.home, 'dags'), { recursive: true });
    writeFileSync(path.join(this.home, 'dags', `${fileName}.yaml`), text);
  }
}
