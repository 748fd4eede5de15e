import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../../core/cli/run-report.ts';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
  type EngineProcess,
  type TestHome,
} from '../../harness/engine-command.ts';

/** A home with a coordinator, and workers that join it with a token: all in their own processes. */
export class WorkerHarness {
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

  static async open(): Promise<WorkerHarness> {
    const testHome = makeTestHome();
    const made = await runEngine(testHome, ['workers', 'tokens', 'create', '--note', 'test']);
    if (made.code !== 0) throw new Error(`there is no token: ${made.stderr}`);
    const coordinator = startEngine(testHome, ['coordinator', '--no-tls', '--port', '0']);
    await waitForText(coordinator.stdout, /coordinator listening at \S+\n/);
    const url = /coordinator listening at (\S+)\n/.exec(coordinator.stdout())![1]!;
    return new WorkerHarness(testHome, url, made.stdout.trim());
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
