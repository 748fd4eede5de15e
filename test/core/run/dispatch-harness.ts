import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { EnqueueRequest } from '../../../core/api/engine-api.ts';
import type { RunRef } from '../../../core/model/run.ts';
import type { FireTimeOutcome, ScheduleKind } from '../../../core/model/fire-time.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { until } from '../../harness/resources.ts';
import { makeEngineHome } from '../../harness/empty-database.ts';
import { TestEngine, testCaller, type RunView } from '../../harness/engine.ts';

/** A home with queues whose runs the test controls: each starts, signals that, and waits until it may end. */
export class QueueHarness {
  readonly home = makeEngineHome();
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

  /** Puts a workflow into the workflow directory. */
  write(fileName: string, text: string): void {
    mkdirSync(path.join(this.home, 'dags'), { recursive: true });
    writeFileSync(path.join(this.home, 'dags', `${fileName}.yaml`), text);
  }
}

/** A row of past fire times. */
export interface FireTimeRow {
  readonly dag: string;
  readonly kind: ScheduleKind;
  readonly at: number;
  readonly outcome: FireTimeOutcome;
  readonly reason: string | null;
}

/** A row of missed expectations. */
interface MissedRow {
  readonly dag: string;
  readonly kind: string;
  readonly rule: string;
  readonly deadline: number;
  readonly message: string;
  readonly resolved_at: number | null;
}

/** A home with workflow files, whose schedules engines of the test serve, by one clock. */
export class ScheduledHome {
  readonly home = makeEngineHome();
  readonly clock: FakeClock;

  /** @param start ISO time at which the test starts */
  constructor(start = '2026-03-10T10:00:00Z') {
    this.clock = new FakeClock(Date.parse(start));
    mkdirSync(path.join(this.home, 'dags'), { recursive: true });
  }

  write(dag: string, text: string): void {
    writeFileSync(path.join(this.home, 'dags', `${dag}.yaml`), text);
  }

  /** Opens an engine that serves the schedules. */
  async serve(): Promise<TestEngine> {
    const engine = new TestEngine({ home: this.home, clock: this.clock });
    engine.host.processQueues();
    await engine.host.startScheduling();
    return engine;
  }

  /** Closes an engine while time passes, as its runs need it to end. */
  async close(engine: TestEngine): Promise<void> {
    let isOver = false;
    const closed = engine.host.close('stop').finally(() => (isOver = true));
    await this.passUntil(() => isOver);
    await closed;
  }

  /** Lets seconds pass one by one, so that everything due in between is started. */
  async pass(seconds: number): Promise<void> {
    for (let count = 0; count < seconds; count += 1) {
      this.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Lets time pass in small steps until a condition holds. */
  async passUntil(holds: () => boolean): Promise<void> {
    await until(() => {
      this.clock.advance(25);
      return holds();
    });
  }

  /** All decisions, in order of time. */
  fireTimes(dag?: string): FireTimeRow[] {
    const rows = this.#all<FireTimeRow>(
      'SELECT dag, kind, at, outcome, reason FROM schedule_slot ORDER BY at, kind',
    );
    return dag === undefined ? rows : rows.filter((row) => row.dag === dag);
  }

  /** `10:00:10 start started`, for each fire time. */
  story(dag?: string): string[] {
    return this.fireTimes(dag).map(
      ({ at, kind, outcome }) => `${new Date(at).toISOString().slice(11, 19)} ${kind} ${outcome}`,
    );
  }

  notes(): { kind: string; dag: string | null; message: string }[] {
    return this.#all('SELECT kind, dag, message FROM schedule_note ORDER BY key');
  }

  runs(): { dag: string; status: string; trigger: string }[] {
    return this.#all('SELECT dag, status, trigger FROM run ORDER BY key');
  }

  /** Missed expectations, oldest first. */
  missed(): MissedRow[] {
    return this.#all('SELECT * FROM missed_expectation ORDER BY id');
  }

  /** Lets runs that wait for the file `go` end. */
  go(): void {
    writeFileSync(path.join(this.home, 'go'), '');
  }

  /** Lets them wait again. */
  hold(): void {
    rmSync(path.join(this.home, 'go'), { force: true });
  }

  schedulers(): { pid: number; is_active: number }[] {
    return this.#all('SELECT pid, is_active FROM scheduler_instance');
  }

  /** Delay between each fire time and the creation of its run, milliseconds. */
  delays(): number[] {
    return this.#all<{ delay: number }>(
      'SELECT run.created_at - slot.at AS delay FROM schedule_slot slot JOIN run ON run.key = slot.run_key',
    ).map(({ delay }) => delay);
  }

  #all<Row>(sql: string): Row[] {
    const database = new SqliteDatabase(path.join(this.home, 'data', 'engine.db'), { readonly: true });
    try {
      return database.prepare(sql).all() as Row[];
    } finally {
      database.close();
    }
  }
}

export const suspend = (engine: TestEngine, fileName: string, isSuspended: boolean) =>
  engine.host.api.call('dags.suspend', { fileName, suspend: isSuspended }, testCaller);
