// A file of its own: loaded when a run first uses a worker.
import type { Clock } from '../../base/clock.ts';
import type { DispatchStore } from '../../store/types/dispatch.ts';
import { openPostgresDispatch } from './postgres-dispatch.ts';
import { openSqliteDispatch } from './sqlite-dispatch.ts';
import type { DispatchSettings } from './rows.ts';

/** Database of a home: a file or a server URL. */
export type DispatchLocation = { readonly file: string } | { readonly url: string };

/** Opens the task store in the home's database. See the two implementations for errors. */
export function openDispatch(
  location: DispatchLocation,
  clock: Clock,
  settings?: DispatchSettings,
): DispatchStore {
  const options = { clock, ...(settings && { settings }) };
  return 'url' in location
    ? openPostgresDispatch({ ...options, ...location })
    : openSqliteDispatch({ ...options, ...location });
}
