import { LogMirror } from '../api/following/log-mirror.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import type { HomePaths } from '../config/home.ts';
import { RemoteDriver } from '../distributed/driver/remote-driver.ts';
import type { TaskFiles } from '../distributed/files-port.ts';
import type { DispatchStore } from '../distributed/ports.ts';
import type { RemoveElsewhere } from '../run/retention/remove-logs.ts';
import { LazyTasks } from './open-tasks.ts';

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

  constructor(deps: {
    readonly config: EngineConfig;
    readonly paths: HomePaths;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.#config = deps.config;
    this.#tasks = new LazyTasks(deps);
    this.tasks = this.#tasks.open;
    const isRemoteStore = deps.config.objectStore.url !== undefined;
    this.mirror = new LogMirror({ ...deps, files: this.files, isAway: isRemoteStore });
    this.driver = new RemoteDriver({ ...deps, tasks: this.tasks, files: this.files });
  }

  /** Opens the logs of workers, and the artifacts of runs. */
  readonly files = (): Promise<TaskFiles> => (this.#files ??= openFiles(this.#config));

  /** Removes runs from the bucket, if there is one. */
  get removeElsewhere(): RemoveElsewhere | undefined {
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
  const { openTaskFiles } = await import('../distributed/files/open-task-files.ts');
  return openTaskFiles({ url: objectStore.url });
}
