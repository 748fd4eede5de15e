import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DispatchStore, TaskRecord } from '../../../core/distributed/ports.ts';
import { openDispatch } from '../../../core/distributed/store/open-dispatch.ts';
import { systemClock } from '../../../core/system-clock.ts';
import { commandStep, taskOf } from '../../core/distributed/worker/site.ts';
import { engineArguments } from '../../cli/engine-process.ts';
import { until } from '../../rig/until.ts';

/** Of the workers, milliseconds. */
export const leaseMs = 3000;
const secret = 'swj_fleet';

/** A process that is killed and started again, always the same way. */
export class Member {
  readonly name: string;
  readonly #start: () => ChildProcess;
  #child: ChildProcess;
  #said = '';
  /** All that its lives have written. */
  log = '';
  #isHalted = false;
  #isKilled = false;

  constructor(name: string, start: () => ChildProcess) {
    this.name = name;
    this.#start = start;
    this.#child = this.#begin();
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What this life has written to stdout. */
  get said(): string {
    return this.#said;
  }

  kill(): void {
    this.#isHalted = false;
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
  }

  halt(): void {
    this.#isHalted = this.#child.kill('SIGSTOP');
  }

  /** Has it live, whatever was done to it. */
  async heal(): Promise<void> {
    if (this.#isHalted) this.#child.kill('SIGCONT');
    this.#isHalted = false;
    if (this.isAlive && !this.#isKilled) return;
    await until(() => !this.isAlive);
    this.#child = this.#begin();
  }

  #begin(): ChildProcess {
    this.#said = '';
    this.#isKilled = false;
    const child = this.#start();
    child.stdout!.on('data', (text: Buffer) => (this.#said += String(text)));
    child.stderr!.on('data', (text: Buffer) => (this.log += String(text)));
    return child;
  }
}

/** Coordinators and workers as processes over one database, and the tasks of a test, in a folder of its own. */
export class Fleet implements AsyncDisposable {
  readonly store: DispatchStore;
  readonly folder = mkdtempSync(path.join(tmpdir(), 'stepwright-fleet-'));
  readonly coordinators: Member[] = [];
  readonly workers: Member[] = [];
  readonly keys: string[] = [];
  readonly #beating: NodeJS.Timeout;

  private constructor() {
    mkdirSync(path.join(this.folder, 'effects'));
    this.store = openDispatch({ file: this.#database }, systemClock, { leaseMs, activationMs: 1000 });
    // Coordinators tell that they live too seldom for a lease as short as here.
    const card = { id: 'steady', url: 'http://steady', version: '', host: '', pid: 1, workers: 0 };
    this.#beating = setInterval(() => void this.store.beatCoordinator(card).catch(() => {}), 250);
  }

  static async open(counts: { coordinators: number; workers: number }): Promise<Fleet> {
    const fleet = new Fleet();
    try {
      await fleet.#begin(counts);
      return fleet;
    } catch (thrown) {
      await fleet[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** Ends its processes and removes what they have. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#beating);
    const members = [...this.coordinators, ...this.workers];
    for (const member of members) member.kill();
    await until(() => members.every(({ isAlive }) => !isAlive));
    await this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #begin(counts: { coordinators: number; workers: number }): Promise<void> {
    const sha256 = createHash('sha256').update(secret).digest('hex');
    await this.store.addJoinToken({ id: 'token', sha256, note: '', labels: {} });
    const urls: string[] = [];
    for (let number = 1; number <= counts.coordinators; number += 1)
      urls.push(await this.#addCoordinator(number));
    for (let number = 1; number <= counts.workers; number += 1) this.#addWorker(`w${number}`, urls);
  }

  get #database(): string {
    return path.join(this.folder, 'tasks.db');
  }

  async #addCoordinator(number: number): Promise<string> {
    const program = path.join(import.meta.dirname, '../../programs/coordinator.ts');
    let port = '0';
    const member = new Member(`coordinator ${number}`, () =>
      spawn(process.execPath, [program, this.#database, port, String(leaseMs)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    this.coordinators.push(member);
    await until(() => member.said.includes('\n'));
    const url = member.said.trim();
    // It comes back where workers look for it.
    ({ port } = new URL(url));
    return url;
  }

  #addWorker(id: string, urls: readonly string[]): void {
    const words = ['worker', '--id', id, '--slots', '4', ...urls.flatMap((url) => ['--coordinator', url])];
    const env = { ...process.env, ENGINE_HOME: path.join(this.folder, id), ENGINE_WORKER_TOKEN: secret };
    this.workers.push(
      new Member(id, () =>
        spawn(process.execPath, engineArguments(words), { env, stdio: ['ignore', 'pipe', 'pipe'] }),
      ),
    );
  }

  /** Offers a task that leaves one line for each time that it is begun, and takes so long. */
  async offer(seconds: number): Promise<void> {
    const number = this.keys.length + 1;
    const key = `1.step.load.${number}`;
    const effect = path.join(this.folder, 'effects', String(number));
    const place = path.join(this.folder, 'logs/etl/20260101T000000Z_run-1', `load.${number}`);
    mkdirSync(place, { recursive: true });
    const command = `echo begun >> ${effect}; echo one; sleep ${seconds}; echo two`;
    const task = taskOf(commandStep(command, { output: 'SAID' }));
    const { run } = task;
    const payload = JSON.stringify(task);
    await this.store.offer([
      { key, runKey: 1, run, step: 'load', selector: {}, priority: 0, payload, place },
    ]);
    this.keys.push(key);
  }

  /** How often the command of a task was begun. */
  effectsOf(key: string): number {
    const file = path.join(this.folder, 'effects', key.split('.').at(-1)!);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  }

  /** Waits until all tasks have ended. */
  async ended(): Promise<readonly TaskRecord[]> {
    for (;;) {
      const records = await this.store.find(this.keys);
      if (records.every(({ state }) => state === 'settled' || state === 'lost')) return records;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
