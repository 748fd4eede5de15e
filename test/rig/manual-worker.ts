import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import { homePaths } from '../../core/home/config/home.ts';
import type { ClaimedTask, DispatchStore, TaskLease, WorkerLease } from '../../core/store/types/dispatch.ts';
import type { RemoteResult, RemoteTask } from '../../core/run/remote/remote-task.ts';
import { openDispatch } from '../../core/distributed/store/open-dispatch.ts';
import { onTestCleanup } from './on-test-cleanup.ts';

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
