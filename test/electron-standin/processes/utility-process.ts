import { fork as forkNode, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { ForkOptions } from 'electron';
import { requireReady } from '../app/lifecycle.ts';
import { createStrictModule } from '../app/strict-module.ts';

/** Electron's `UtilityProcess`: a Node process that communicates over `process.parentPort`. */
export class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    super();
    this.#child = child;
    child.on('spawn', () => this.emit('spawn'));
    child.on('message', (message) => this.emit('message', message));
    child.on('exit', (code) => this.emit('exit', code ?? 1));
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null ? this.#child.pid : undefined;
  }

  get stdout(): NodeJS.ReadableStream | null {
    return this.#child.stdout;
  }

  get stderr(): NodeJS.ReadableStream | null {
    return this.#child.stderr;
  }

  postMessage(message: unknown): void {
    this.#child.send(message as object);
  }

  kill(): boolean {
    return this.#child.kill();
  }
}

/** Electron's `utilityProcess` module. */
export const utilityProcess = createStrictModule('utilityProcess', {
  /** @throws Error before `ready` */
  fork(modulePath: string, args: string[] = [], options: ForkOptions = {}): UtilityProcess {
    requireReady('utilityProcess cannot be created before app is ready.');
    const shim = new URL('./parent-port.ts', import.meta.url).href;
    const child = forkNode(modulePath, args, {
      env: options.env as NodeJS.ProcessEnv | undefined,
      cwd: options.cwd,
      execArgv: ['--import', shim, ...(options.execArgv ?? [])],
      serialization: 'advanced',
      stdio: options.stdio === 'pipe' ? ['ignore', 'pipe', 'pipe', 'ipc'] : 'inherit',
    });
    return new UtilityProcess(child);
  },
});
