import path from 'node:path';
import type { HomePaths } from '../../config/home.ts';
import type { Database } from '../../store/database/database.ts';
import { openDatabase, openServerDatabase } from '../../store/open-store.ts';

/** Where a database is: a file, or a schema of a PostgreSQL server. */
export type DatabasePlace = { readonly file: string } | { readonly url: string };

/** Where the database of a home is. */
export const placeOfHome = ({ database, databaseUrl }: HomePaths): DatabasePlace =>
  databaseUrl === undefined ? { file: database } : { url: databaseUrl };

/**
 * Reads what somebody writes for a database: the address of a server, or a path.
 * @param cwd what a relative path counts from
 */
export const readPlace = (written: string, cwd: string): DatabasePlace =>
  /^postgres(ql)?:/.test(written) ? { url: written } : { file: path.resolve(cwd, written) };

/** Opens it, made or brought up to date when needed. Throws as `openStore`. */
export const openPlace = (place: DatabasePlace): Database =>
  'url' in place ? openServerDatabase(place.url) : openDatabase(place.file);
