import { createHash } from 'node:crypto';
import path from 'node:path';
import { homePaths } from '../../home/config/home.ts';

/** Authentication files of a home, stored next to the database, readable only by the owner. */
export interface AuthPaths {
  readonly users: string;
  readonly tokens: string;
  readonly sessions: string;
  readonly key: string;
  /** One lock for all files. */
  readonly lock: string;
}

/**
 * @param home absolute
 * @param data absolute path of the data directory, if it is not in the home
 */
export function authPaths(home: string, data: string = homePaths(home).data): AuthPaths {
  return {
    users: path.join(data, 'users.json'),
    tokens: path.join(data, 'tokens.json'),
    sessions: path.join(data, 'sessions.json'),
    key: path.join(data, 'auth.key'),
    lock: path.join(data, 'auth.lock'),
  };
}

/** Returns a short name that distinguishes servers of several homes, which share the cookies of a machine. */
export const getRealm = (home: string): string =>
  createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 8);
