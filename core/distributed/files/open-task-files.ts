import type { TaskFiles } from '../files-port.ts';
import { FileStore } from './file-store.ts';

export interface TaskFilesSettings {
  /** Of a bucket (`objectStore.url`); absent for the folders of the runs. */
  readonly url?: string | undefined;
  /** Of the folders: whether an append is on the disk when it is answered. */
  readonly syncsLogs?: boolean;
}

/** Where logs and artifacts of tasks go. The client for buckets is loaded only for one. */
export async function openTaskFiles({ url, syncsLogs = true }: TaskFilesSettings): Promise<TaskFiles> {
  if (url === undefined) return new FileStore({ syncsLogs });
  const { openObjectStore } = await import('./object-store.ts');
  return openObjectStore(url);
}
