import path from 'node:path';
import type { HomePaths } from '../../config/home.ts';
import type { Database } from '../../store/database/database.ts';
import { openDatabase, openServerDatabase } from '../../store/open-store.ts';

/** Location of a database: a file, or a schema of a PostgreSQL server. */
export type DatabaseLocation = { readonly file: string } | { readonly url: string };

/** Returns the location of a home's database. */
export const locationOfHome = ({ database, databaseUrl }: HomePaths): DatabaseLocation =>
  databaseUrl === undefined ? { file: database } : { url: databaseUrl };

/**
 * Parses a database argument: a server URL or a path.
 * @param cwd base of a relative path
 */
export const parseLocation = (text: string, cwd: string): DatabaseLocation =>
  /^postgres(ql)?:/.test(text) ? { url: text } : { file: path.resolve(cwd, text) };

/** Opens a database, created or migrated if needed. Throws as `openStore`. */
export const openLocation = (location: DatabaseLocation): Database =>
  'url' in location ? openServerDatabase(location.url) : openDatabase(location.file);
