import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DispatchStore, TaskRecord } from '../../../core/store/types/dispatch.ts';
import type { RemoteTask } from '../../../core/run/remote/remote-task.ts';
import { openDispatch, type DispatchLocation } from '../../../core/distributed/store/open-dispatch.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { until, onTestCleanup } from '../../harness/resources.ts';
import { engineArguments } from '../../harness/home-and-command.ts';
import { TestCertificates } from '../../harness/coordinator.ts';
import { commandStep, getTask } from '../../harness/cluster.ts';
import type { CoordinatorSpec } from '../../programs/coordinator.ts';
import type { Machine, TestNetwork } from '../../harness/servers/network.ts';

/** A process that is killed and restarted with the same arguments. */
class ClusterProcess {
  readonly name: string;
  readonly #start: () => ChildProcess;
  #child: ChildProcess;
  #output = '';
  /** Output of all its lives. */
  log = '';
  #isSuspended = false;
  #isKilled = false;

  constructor(name: string, start: () => ChildProcess) {
    this.name = name;
    this.#start = start;
    this.#child = this.#begin();
    onTestCleanup(() => this.kill());
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Stdout of the current life. */
  get output(): string {
    return this.#output;
  }

  kill(): void {
    this.#isSuspended = false;
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
  }

  halt(): void {
    this.#isSuspended = this.#child.kill('SIGSTOP');
  }

  /** Stops it gracefully, and restarts it. */
  async replace(): Promise<void> {
    this.#child.kill('SIGTERM');
    await until(() => !this.isAlive);
    this.#child = this.#begin();
    await until(() => this.#output.includes('\n'));
  }

  /** Restores it to running, whatever its state. */
  async restoreLinks(): Promise<void> {
    if (this.#isSuspended) this.#child.kill('SIGCONT');
    this.#isSuspended = false;
    if (this.isAlive && !this.#isKilled) return;
    await until(() => !this.isAlive);
    this.#child = this.#begin();
  }

  #begin(): ChildProcess {
    this.#output = '';
    this.#isKilled = false;
    const child = this.#start();
    child.stdout!.on('data', (text: Buffer) => (this.#output += String(text)));
    child.stderr!.on('data', (text: Buffer) => (this.log += String(text)));
    return child;
  }
}

/** Of the workers, milliseconds. */
export const leaseMs = 2000;
const secret = 'swj_fleet';
/** For the program of coordinators, which Node would strip and compile at each start. */
const compileCache = path.join(import.meta.dirname, '../../../node_modules/.cache/stepwright-compiled');
/** Far longer than any lease, and shorter than the timeout of a test. */
const timeoutMs = 60_000;

/** Options of a fleet. */
export interface TestClusterPlan {
  readonly coordinators: number;
  readonly workers: number;
  /** Default: a file of the fleet. */
  readonly place?: DispatchLocation;
  /**
   * Each worker has its own machine there, and reaches coordinators by mTLS. Default: all are on this
   * machine.
   */
  readonly network?: TestNetwork;
}

/** Coordinators and workers as processes over one database, and the tasks of a test. */
export class TestCluster {
  readonly store: DispatchStore;
  readonly folder: string;
  readonly coordinators: ClusterProcess[] = [];
  readonly workers: ClusterProcess[] = [];
  /** Of the workers, in their order; empty without a network. */
  readonly machines: Machine[] = [];
  readonly keys: string[] = [];
  readonly #location: DispatchLocation;
  readonly #network: TestNetwork | undefined;
  readonly #certificates: TestCertificates | undefined;

  private constructor(folder: string, { place, network }: TestClusterPlan) {
    this.folder = folder;
    this.#location = place ?? { file: path.join(folder, 'tasks.db') };
    this.#network = network;
    this.#certificates = network && new TestCertificates({ address: network.address });
    this.store = openDispatch(this.#location, systemClock, { leaseMs, activationMs: 1000 });
    onTestCleanup(() => this.store.close());
  }

  static async open(folder: string, plan: TestClusterPlan): Promise<TestCluster> {
    mkdirSync(path.join(folder, 'effects'));
    const cluster = new TestCluster(folder, plan);
    const sha256 = createHash('sha256').update(secret).digest('hex');
    await cluster.store.addJoinToken({ id: 'token', sha256, note: '', labels: {} });
    // Coordinators send heartbeats too rarely for a lease as short as here.
    const card = { id: 'steady', url: 'http://steady', version: '', host: '', pid: 1, workers: 0 };
    const beating = setInterval(() => void cluster.store.heartbeatCoordinator(card).catch(() => {}), 250);
    onTestCleanup(() => clearInterval(beating));
    const urls: string[] = [];
    for (let number = 1; number <= plan.coordinators; number += 1)
      urls.push(await cluster.#addCoordinator(number));
    for (let number = 1; number <= plan.workers; number += 1) cluster.#addWorker(`w${number}`, urls);
    return cluster;
  }

  async #addCoordinator(number: number): Promise<string> {
    const program = path.join(import.meta.dirname, '../../programs/coordinator.ts');
    const host = this.#network?.address ?? '127.0.0.1';
    let port = 0;
    const member = new ClusterProcess(`coordinator ${number}`, () => {
      const spec: CoordinatorSpec = {
        place: this.#location,
        host,
        port,
        leaseMs,
        tls: this.#certificates?.files,
      };
      const [first, ...words] = [
        ...(this.#network?.words ?? []),
        process.execPath,
        program,
        JSON.stringify(spec),
      ];
      const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
      return spawn(first, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    });
    await until(() => member.output.includes('\n') || !member.isAlive);
    const url = member.output.trim();
    // It restarts at the same address, where workers look for it.
    port = Number(new URL(url).port);
    this.coordinators.push(member);
    return url;
  }

  #addWorker(id: string, urls: readonly string[]): void {
    const machine = this.#network?.addMachine();
    if (machine !== undefined) this.machines.push(machine);
    const words = [
      'worker',
      '--id',
      id,
      '--slots',
      '4',
      '--labels',
      'pool=fleet',
      ...urls.flatMap((url) => ['--coordinator', url]),
    ];
    const [program = '', ...all] = [
      ...(machine?.words ?? []),
      process.execPath,
      ...engineArguments([...words, ...this.#prove(id)]),
    ];
    const env = {
      ...process.env,
      ENGINE_HOME: path.join(this.folder, id),
      ...(machine === undefined && { ENGINE_WORKER_TOKEN: secret }),
    };
    this.workers.push(
      new ClusterProcess(id, () => spawn(program, all, { env, stdio: ['ignore', 'pipe', 'pipe'] })),
    );
  }

  /** TLS options for mutual authentication of a worker and its coordinators. */
  #prove(id: string): string[] {
    if (this.#certificates === undefined) return [];
    const { authority, folder } = this.#certificates;
    const certificate = authority.issue({ name: id });
    return Object.entries({ ca: authority.cert, cert: certificate.cert, key: certificate.key }).flatMap(
      ([kind, text]) => {
        const file = path.join(folder, `${id}.${kind}`);
        writeFileSync(file, text);
        return [`--tls-${kind}`, file];
      },
    );
  }

  /**
   * Offers a task that writes one line per start, then the time every 50 ms, and takes this long.
   * @returns its key
   */
  async offer(seconds: number, more: Partial<RemoteTask> = {}): Promise<string> {
    const number = this.keys.length + 1;
    const key = `1.step.load.${number}`;
    const effect = path.join(this.folder, 'effects', String(number));
    const attemptDir = path.join(this.folder, 'logs/etl/20260101T000000Z_run-1', `load.${number}`);
    mkdirSync(attemptDir, { recursive: true });
    const ticks = `i=0; while [ $i -lt ${Math.round(seconds * 20)} ]; do date +%s%3N >> ${effect}.ticks; sleep 0.05; i=$((i+1)); done`;
    const waits = more.onPartition === 'stop' ? ticks : `sleep ${seconds}`;
    const command = `echo begun >> ${effect}; echo one; ${waits}; echo two`;
    const task = getTask(commandStep(command, { output: 'SAID' }), more);
    const { run } = task;
    const payload = JSON.stringify(task);
    await this.store.offer([
      { key, runKey: 1, run, step: 'load', selector: {}, priority: 0, payload, attemptDir },
    ]);
    this.keys.push(key);
    return key;
  }

  /** How often the command of a task was started. */
  effectsOf(key: string): number {
    return this.#readEffect(key).length;
  }

  /** When a task that needs a lease was last seen running, epoch milliseconds; 0 for never. */
  lastTickOf(key: string): number {
    return Number(this.#readEffect(key, '.ticks').at(-1) ?? 0);
  }

  #readEffect(key: string, ending = ''): string[] {
    const file = path.join(this.folder, 'effects', key.split('.').at(-1)! + ending);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** Waits until all tasks have ended. Rejects with the open ones, and the output of the members. */
  async ended(): Promise<readonly TaskRecord[]> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const records = await this.store.find(this.keys).catch(() => []);
      const open = records.filter(({ state }) => state !== 'settled' && state !== 'lost');
      if (records.length === this.keys.length && open.length === 0) return records;
      if (performance.now() > deadline) throw new Error(this.#describe(open));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  #describe(open: readonly TaskRecord[]): string {
    const members = [...this.coordinators, ...this.workers];
    const output = members.map(
      ({ name, isAlive, log }) => `${name}${isAlive ? '' : ', dead'}: ${log.slice(-2000)}`,
    );
    return [`tasks have not ended: ${JSON.stringify(open)}`, ...output].join('\n');
  }
}
