import type { ChildProcess } from 'node:child_process';
import { until } from '../../rig/until.ts';
import { onTestCleanup } from '../../rig/on-test-cleanup.ts';

/** A process that is killed and restarted with the same arguments. */
export class Member {
  readonly name: string;
  readonly #start: () => ChildProcess;
  #child: ChildProcess;
  #said = '';
  /** Output of all its lives. */
  log = '';
  #isHalted = false;
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

  /** Stops it gracefully, and restarts it. */
  async replace(): Promise<void> {
    this.#child.kill('SIGTERM');
    await until(() => !this.isAlive);
    this.#child = this.#begin();
    await until(() => this.#said.includes('\n'));
  }

  /** Restores it to running, whatever its state. */
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
