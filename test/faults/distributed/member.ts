import type { ChildProcess } from 'node:child_process';
import { until, onTestCleanup } from '../../harness/resources.ts';

/** A process that is killed and restarted with the same arguments. */
export class ClusterProcess {
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
