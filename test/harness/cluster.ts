import { type Server, type Socket, connect, createServer } from 'node:net';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, appendFileSync } from 'node:fs';
import path, { join } from 'node:path';
import { spawn, type ChildProcess } from 'node:child_process';
import { type RunningCoordinator, startCoordinator } from '../../core/distributed/coordinator/coordinator.ts';
import type { CoordinatorTls } from '../../core/distributed/coordinator/coordinator-tls.ts';
import { FileStore } from '../../core/distributed/files/file-store.ts';
import type {
  DispatchStore,
  NewTask,
  TaskRecord,
  ClaimedTask,
  TaskLease,
  WorkerLease,
} from '../../core/store/types/dispatch.ts';
import type { RemoteResult, RemoteTask } from '../../core/run/remote/remote-task.ts';
import { openDispatch } from '../../core/distributed/store/open-dispatch.ts';
import {
  type RunningWorker,
  type WorkerOptions,
  openWorker,
} from '../../core/distributed/worker/open-worker.ts';
import type { Step } from '../../core/model/step.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import type { RunJson } from '../../core/cli/run-report.ts';
import type { Clock } from '../../core/base/clock.ts';
import { homePaths } from '../../core/home/config/home.ts';
import { listenOnLoopback } from './servers/ports.ts';
import { onTestCleanup, makeTemporaryFolder } from './resources.ts';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
  type EngineProcess,
  type TestHome,
} from './home-and-command.ts';
import { RecordingLogger } from './fakes.ts';
import { buildStep } from './samples.ts';

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

/** A step that runs a command in a shell. */
export const commandStep = (command: string, more: Partial<Step> = {}): Step =>
  buildStep('load', { action: { kind: 'command', command }, ...more });

/** What a host would offer. */
export const getTask = (step: Step, more: Partial<RemoteTask> = {}): RemoteTask => ({
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
  readonly lines: RecordingLogger;
  /** Rejects with its failure. */
  readonly ended: Promise<void>;
  /** Resolves once it accepts work. */
  readonly joined: Promise<string>;
}

/** Real coordinators over one database, and workers, all by the real clock. */
export class Cluster {
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
  static async open({ leaseMs = 30_000, coordinators = 1 } = {}): Promise<Cluster> {
    const workers = new Cluster(leaseMs);
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
    const lines = new RecordingLogger();
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
    const lines = new RecordingLogger();
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
  async getResult(key: string): Promise<RemoteResult> {
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

/** A home with a coordinator, and workers that join it with a token: all in their own processes. */
export class CommandCluster {
  readonly testHome: TestHome;
  readonly #url: string;
  readonly #token: string;
  readonly #folder: string;

  private constructor(testHome: TestHome, url: string, token: string) {
    this.testHome = testHome;
    this.#url = url;
    this.#token = token;
    this.#folder = join(testHome.cwd, 'workers');
    mkdirSync(this.#folder);
  }

  static async open(): Promise<CommandCluster> {
    const testHome = makeTestHome();
    const made = await runEngine(testHome, ['workers', 'tokens', 'create', '--note', 'test']);
    if (made.code !== 0) throw new Error(`there is no token: ${made.stderr}`);
    const coordinator = startEngine(testHome, ['coordinator', '--no-tls', '--port', '0']);
    await waitForText(coordinator.stdout, /coordinator listening at \S+\n/);
    const url = /coordinator listening at (\S+)\n/.exec(coordinator.stdout())![1]!;
    return new CommandCluster(testHome, url, made.stdout.trim());
  }

  /** Starts a worker with a folder of this name, and waits until it claims tasks. */
  async worker(id: string, options: { labels?: string; slots?: number; folder?: string } = {}) {
    const { labels = 'gpu=true', slots = 2, folder = id } = options;
    const testHome = makeTestHome();
    const words = ['worker', '--coordinator', this.#url, '--id', id, '--labels', labels];
    const more = ['--slots', String(slots), '--work-dir', join(this.#folder, folder)];
    const worker = startEngine(testHome, [...words, ...more], { ENGINE_WORKER_TOKEN: this.#token });
    await waitForText(() => worker.stdout() + worker.stderr(), /Stepwright worker .* started/);
    return worker;
  }

  save(name: string, yaml: string): void {
    saveDag(this.testHome, name, yaml);
  }

  start(name: string, ...words: readonly string[]): EngineProcess {
    return startEngine(this.testHome, ['start', name, ...words]);
  }

  /** Starts a workflow and returns the finished run. */
  async run(name: string, ...words: readonly string[]): Promise<{ code: number | null; run: RunJson }> {
    const { code, json } = await runForJson(this.testHome, ['start', name, ...words]);
    return { code, run: json };
  }

  async status(name: string): Promise<RunJson> {
    return (await runForJson(this.testHome, ['status', name])).json;
  }
}

/** Tools of a task on the test's own worker. */
export interface ManualTask {
  readonly hold: TaskLease;
  readonly task: RemoteTask;
  readonly process: ChildProcess;
}

/**
 * A worker without a coordinator: it uses the database of a home directly, and runs step commands in a shell.
 * For how hosts use workers; real ones are tested elsewhere.
 */
export class ManualWorker {
  readonly store: DispatchStore;
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly slots: number;
  /** Its tasks, oldest first. */
  readonly had: ManualTask[] = [];
  #lease: WorkerLease | undefined;
  #running = new Map<string, ManualTask>();
  #isBusy = false;
  #isDead = false;

  /** @param place the home, and the clock of its engine */
  constructor(
    place: { readonly home: string; readonly clock: Clock },
    options: {
      readonly id?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly slots?: number;
    } = {},
  ) {
    this.id = options.id ?? 'w1';
    this.labels = options.labels ?? { gpu: 'true' };
    this.slots = options.slots ?? 4;
    this.store = openDispatch({ file: homePaths(place.home).database }, place.clock);
    onTestCleanup(async () => {
      this.die();
      await this.store.close();
    });
  }

  /** Registers, and runs tasks until it dies. */
  async work(): Promise<void> {
    await this.report();
    const timer = setInterval(() => void this.#turn(), 5);
    onTestCleanup(() => clearInterval(timer));
  }

  /** Registers with the home. */
  async report(): Promise<void> {
    const { id, labels, slots } = this;
    const hello = { id, labels, slots, version: 'test', host: `${id}.example`, pid: 1, keeps: [] };
    this.#lease = await this.store.register(hello);
  }

  /** Stops sending heartbeats, and its commands end with it. */
  die(): void {
    this.#isDead = true;
    for (const task of this.#running.values()) endGroup(task, 'SIGKILL');
  }

  /** Is cut off: it sends no heartbeats, and its commands continue. */
  vanish(): void {
    this.#isDead = true;
  }

  async #turn(): Promise<void> {
    if (this.#isBusy || this.#isDead) return;
    this.#isBusy = true;
    try {
      const { id } = this;
      const ref = { id, epoch: this.#lease!.epoch };
      const running = [...this.#running.values()].map(({ hold }) => hold);
      const [answer] = await this.store.beat([{ ...ref, running }]);
      for (const { key, how } of answer!.cancel)
        endGroup(this.#running.get(key), how === 'kill' ? 'SIGKILL' : 'SIGTERM');
      const free = this.slots - this.#running.size;
      const claimed = (await this.store.claim([{ ...ref, free }])).get(id) ?? [];
      const confirmed = new Set(await this.store.begin(ref, claimed));
      for (const task of claimed) if (confirmed.has(task.key)) await this.#begin(task);
    } catch (error) {
      if (!this.#isDead) throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  async #begin({ key, fence, payload }: ClaimedTask): Promise<void> {
    const ref = { id: this.id, epoch: this.#lease!.epoch };
    const { attemptDir } = (await this.store.findHeld(ref, { key, fence }))!;
    const task = JSON.parse(payload) as RemoteTask;
    const { action } = task.step;
    const text = action.kind === 'command' ? action.command : 'exit 99';
    const env = { ...process.env, ...task.env, ENGINE_FENCE: String(fence) };
    const child = spawn('sh', ['-c', text], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      // Its folders belong to the test.
      ...(task.workingDir !== undefined && existsSync(task.workingDir) ? { cwd: task.workingDir } : {}),
    });
    const doing: ManualTask = { hold: { key, fence }, task, process: child };
    this.had.push(doing);
    this.#running.set(key, doing);
    mkdirSync(attemptDir, { recursive: true });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += String(chunk);
      appendFileSync(path.join(attemptDir, 'stdout.log'), chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => appendFileSync(path.join(attemptDir, 'stderr.log'), chunk));
    const startedAt = Date.now();
    child.on('close', (code, signal) => {
      this.#running.delete(key);
      if (this.#isDead) return;
      const result: RemoteResult = {
        ...(code === null ? {} : { exitCode: code }),
        ...(signal === null ? {} : { signal }),
        ...(task.step.output === undefined && task.item === undefined ? {} : { captured: stdout.trim() }),
        hidden: [],
        startedAt,
        finishedAt: Date.now(),
        logs: { stdout: stdout.length, stderr: 0 },
        artifacts: [],
      };
      void this.store.settle([{ ...ref, key, fence, result: JSON.stringify(result) }]);
    });
  }
}

function endGroup(task: ManualTask | undefined, signal: NodeJS.Signals): void {
  if (task?.process.pid === undefined) return;
  try {
    process.kill(-task.process.pid, signal);
  } catch {
    // It has exited by itself.
  }
}
