import type { Clock } from '../../base/clock.ts';
import type { DispatchStore } from '../ports.ts';
import { openPostgresDispatch } from './postgres/open-postgres-dispatch.ts';
import { openSqliteDispatch } from './sqlite/open-sqlite-dispatch.ts';
import type { DispatchSettings } from './settings.ts';

/** The database of a home: a file, or a server. */
export type DispatchPlace = { readonly file: string } | { readonly url: string };

/** Work for workers, in the database of the home. See the two kinds for what they throw. */
export function openDispatch(place: DispatchPlace, clock: Clock, settings?: DispatchSettings): DispatchStore {
  const options = { clock, ...(settings && { settings }) };
  return 'url' in place
    ? openPostgresDispatch({ ...options, ...place })
    : openSqliteDispatch({ ...options, ...place });
}
