import { LogMirror } from '../api/log-mirror.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineConfig } from '../home/config/engine-config.ts';
import type { HomePaths } from '../home/config/home.ts';
import type { TaskFiles } from '../run/remote/task-files.ts';
import type { DispatchStore } from '../store/types/dispatch.ts';
import type { RemoveRemoteData } from '../store/run-logs.ts';
import { AppError } from '../base/errors.ts';
import { RemoteDriver } from './remote-driver.ts';

/** Worker support of a host. Loads nothing before a run needs it: most never do. */
export class LazyDistributed {
  readonly driver: RemoteDriver;
  /** Opens the task store. Rejects with `unavailable` after `close`. */
  readonly tasks: () => Promise<DispatchStore>;
  /** Downloads logs of workers from the bucket. */
  readonly mirror: LogMirror;
  readonly #tasks: LazyTasks;
  readonly #config: EngineConfig;
  #files: Promise<TaskFiles> | undefined;

  constructor(config: EngineConfig, paths: HomePaths, clock: Clock, logger: Logger) {
    this.#config = config;
    this.#tasks = new LazyTasks(paths, clock);
    this.tasks = this.#tasks.open;
    const isRemoteStore = config.objectStore.url !== undefined;
    this.mirror = new LogMirror(clock, logger, this.files, isRemoteStore);
    this.driver = new RemoteDriver(clock, logger, this.tasks, this.files);
  }

  /** Opens the logs of workers, and the artifacts of runs. */
  readonly files = (): Promise<TaskFiles> => (this.#files ??= openFiles(this.#config));

  /** Removes runs from the bucket, if there is one. */
  get removeRemoteData(): RemoveRemoteData | undefined {
    if (this.#config.objectStore.url === undefined) return undefined;
    return async (folder) => (await this.files()).removeRun(folder);
  }

  /** Attempts on workers continue there. */
  async close(): Promise<void> {
    this.driver.close();
    await this.#tasks.close();
  }
}

async function openFiles({ objectStore }: EngineConfig): Promise<TaskFiles> {
  const { openTaskFiles } = await import('./files/open-task-files.ts');
  return openTaskFiles({ url: objectStore.url });
}

/** The store of worker tasks. Loads nothing before it is used: most hosts never do. */
export class LazyTasks {
  readonly #paths: HomePaths;
  readonly #clock: Clock;
  #opened: Promise<DispatchStore> | undefined;
  #isClosed = false;

  constructor(paths: HomePaths, clock: Clock) {
    this.#paths = paths;
    this.#clock = clock;
  }

  /** Rejects with `unavailable` after `close`. */
  readonly open = async (): Promise<DispatchStore> => {
    if (this.#isClosed) throw new AppError('unavailable', 'The engine is shutting down.');
    return await (this.#opened ??= this.#load());
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#opened?.catch(() => undefined))?.close();
  }

  async #load(): Promise<DispatchStore> {
    const { openDispatch } = await import('./store/open-dispatch.ts');
    const { database: file, databaseUrl: url } = this.#paths;
    return openDispatch(url === undefined ? { file } : { url }, this.#clock);
  }
}
