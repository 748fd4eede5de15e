// A file of its own: loaded when a run first uses a worker.
import type { TaskFiles } from '../../run/remote/task-files.ts';
import { FileStore } from './file-store.ts';

export interface TaskFilesSettings {
  /** URL of a bucket (`objectStore.url`); absent for the run directories. */
  readonly url?: string | undefined;
  /** For directories: whether appended data is flushed before the response. */
  readonly syncsLogs?: boolean;
}

/** Opens the store for task logs and artifacts. The bucket client is loaded on demand. */
export async function openTaskFiles({ url, syncsLogs = true }: TaskFilesSettings): Promise<TaskFiles> {
  if (url === undefined) return new FileStore({ syncsLogs });
  const { openObjectStore } = await import('./object-store.ts');
  return openObjectStore(url);
}
