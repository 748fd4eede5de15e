import { type Server, type Socket, connect, createServer } from 'node:net';
import { listenOnLoopback } from '../../../rig/servers/loopback.ts';
import { onTestCleanup } from '../../../rig/on-test-cleanup.ts';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../../../core/base/logger.ts';
import {
  type RunningCoordinator,
  startCoordinator,
} from '../../../../core/distributed/coordinator/coordinator.ts';
import type { CoordinatorTls } from '../../../../core/distributed/coordinator/coordinator-tls.ts';
import { FileStore } from '../../../../core/distributed/files/file-store.ts';
import type { DispatchStore, NewTask, TaskRecord } from '../../../../core/store/types/dispatch.ts';
import type { RemoteResult, RemoteTask } from '../../../../core/run/remote/remote-task.ts';
import { openDispatch } from '../../../../core/distributed/store/open-dispatch.ts';
import {
  type RunningWorker,
  type WorkerOptions,
  openWorker,
} from '../../../../core/distributed/worker/open-worker.ts';
import type { Step } from '../../../../core/model/step.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { makeTemporaryFolder } from '../../../rig/temporary-folder.ts';

/** A link between a worker and a coordinator that can be cut. */
export class BreakableLink {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  #isCut = false;

  private constructor(url: string, server: Server, sockets: Set<Socket>) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
  }

  /** @param target URL of the other end */
  static async open(target: string): Promise<BreakableLink> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      if (link.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(Number(port), hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far);
      far.pipe(near);
    });
    const link = new BreakableLink(`http://127.0.0.1:${await listenOnLoopback(server)}`, server, sockets);
    onTestCleanup(() => link.#close());
    return link;
  }

  /** Nothing gets through any more. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restoreLink(): void {
    this.#isCut = false;
  }

  #close(): void {
    this.cut();
    this.#server.close();
  }
}

/** Records log messages, one line each. */
class LogLines implements Logger {
  readonly all: string[] = [];
  readonly info = this.#keep.bind(this);
  readonly warn = this.#keep.bind(this);
  readonly error = this.#keep.bind(this);

  #keep(message: string, fields?: object): void {
    this.all.push(`${message} ${JSON.stringify(fields ?? {})}`);
  }

  has(text: string): boolean {
    return this.all.some((line) => line.includes(text));
  }
}

/** A step that runs a command in a shell. */
export const commandStep = (command: string, more: Partial<Step> = {}): Step => ({
  name: 'load',
  action: { kind: 'command', command },
  depends: [],
  env: [],
  continueOn: { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false },
  preconditions: [],
  at: { line: 1, column: 1 },
  ...more,
});

/** What a host would offer. */
export const taskOf = (step: Step, more: Partial<RemoteTask> = {}): RemoteTask => ({
  run: { name: 'etl', dagRunId: 'run-1' },
  node: { section: 'step', name: step.name },
  attempt: 1,
  step,
  env: {},
  positional: [],
  cleanUpMs: 5000,
  maxOutputSize: 1024 * 1024,
  masked: [],
  smtp: [],
  properties: {},
  inputFiles: [],
  outputFiles: [],
  onPartition: 'continue',
  ...more,
});

/** A worker running in this process. */
export interface HarnessWorker {
  readonly worker: RunningWorker;
  readonly folder: string;
  readonly lines: LogLines;
  /** Rejects with its failure. */
  readonly ended: Promise<void>;
  /** Resolves once it accepts work. */
  readonly joined: Promise<string>;
}

/** Real coordinators over one database, and workers, all by the real clock. */
export class WorkerHarness {
  readonly folder = makeTemporaryFolder();
  readonly store: DispatchStore;
  readonly files = new FileStore();
  readonly secret = 'swj_for-tests';
  readonly #coordinators: RunningCoordinator[] = [];
  #tasks = 0;

  private constructor(leaseMs: number) {
    this.store = openDispatch({ file: ':memory:' }, systemClock, { leaseMs, activationMs: 10_000 });
  }

  /** @param coordinators how many */
  static async open({ leaseMs = 30_000, coordinators = 1 } = {}): Promise<WorkerHarness> {
    const workers = new WorkerHarness(leaseMs);
    onTestCleanup(() => workers.#close());
    // The coordinators under test send heartbeats every few seconds, which is too rare for a lease as short as here.
    const card = { id: 'steady', url: 'http://steady', version: '', host: '', pid: 1, workers: 0 };
    const beating = setInterval(() => void workers.store.heartbeatCoordinator(card), 50);
    onTestCleanup(() => clearInterval(beating));
    const sha256 = createHash('sha256').update(workers.secret).digest('hex');
    await workers.store.addJoinToken({ id: 'token-1', sha256, note: '', labels: {} });
    for (let count = 0; count < coordinators; count += 1) await workers.startCoordinator();
    return workers;
  }

  /** @param port default: a free one */
  async startCoordinator(port = 0, tls?: CoordinatorTls): Promise<RunningCoordinator> {
    const { store, files } = this;
    const lines = new LogLines();
    const started = await startCoordinator({
      ...{ store, files, host: '127.0.0.1', port, tls, version: '9.9.9', clock: systemClock, logger: lines },
    });
    this.#coordinators.push(started);
    return started;
  }

  get urls(): readonly string[] {
    return this.#coordinators.map(({ url }) => url);
  }

  /** Starts a worker; it is stopped with the test. */
  async startWorker(more: Partial<WorkerOptions> = {}): Promise<HarnessWorker> {
    const folder = more.folder ?? path.join(this.folder, `worker-${(this.#tasks += 1)}`);
    const lines = new LogLines();
    const worker = await openWorker({
      ...{
        coordinators: this.urls,
        labels: {},
        slots: 4,
        token: this.secret,
        tls: {},
        folder,
        keepLostDays: 7,
      },
      ...{ version: '9.9.9', clock: systemClock, logger: lines, environment: process.env },
      databases: { open: () => Promise.reject(new Error('no databases here')) },
      ...more,
    });
    let notifyJoined: (id: string) => void = () => {};
    const joined = new Promise<string>((resolve) => (notifyJoined = resolve));
    const ended = worker.run(notifyJoined);
    ended.catch(() => {});
    onTestCleanup(async () => {
      worker.drain();
      worker.stopSteps('kill');
      worker.abandon();
      await ended.catch(() => {});
      worker.close();
    });
    return { worker, folder, lines, ended, joined };
  }

  /** Offers a task as a host does; returns its key. */
  async offer(task: RemoteTask, more: Partial<NewTask> = {}): Promise<string> {
    const number = (this.#tasks += 1);
    const key = `1.step.${task.step.name}.${number}`;
    const logPath = path.join(this.folder, 'logs/etl/20260101T000000Z_run-1', `load.${number}`);
    mkdirSync(logPath, { recursive: true });
    const { run, step } = task;
    await this.store.offer([
      {
        key,
        runKey: 1,
        run,
        step: step.name,
        selector: {},
        priority: 0,
        payload: JSON.stringify(task),
        attemptDir: logPath,
        ...more,
      },
    ]);
    return key;
  }

  async find(key: string): Promise<TaskRecord> {
    const [record] = await this.store.find([key]);
    return record!;
  }

  /** Waits until a task is in a state. */
  async untilState(key: string, ...states: readonly TaskRecord['state'][]): Promise<TaskRecord> {
    for (;;) {
      const record = await this.find(key);
      if (states.includes(record.state)) return record;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Waits for the end of a task, and reads its result. */
  async resultOf(key: string): Promise<RemoteResult> {
    const { result } = await this.untilState(key, 'settled');
    return JSON.parse(result!) as RemoteResult;
  }

  /** What has arrived of a log. */
  async log(key: string, stream: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
    const file = path.join((await this.find(key)).attemptDir, `${stream}.log`);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  async #close(): Promise<void> {
    for (const coordinator of this.#coordinators) await coordinator.close();
    await this.store.close();
  }
}
