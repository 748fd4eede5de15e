import { createHash } from 'node:crypto';
import path from 'node:path';
import { homePaths } from '../config/home.ts';

/** Where a home keeps what authentication needs; all of it beside the database, readable to its owner only. */
export interface AuthPaths {
  readonly users: string;
  readonly tokens: string;
  readonly sessions: string;
  readonly key: string;
  /** One lock for all of them. */
  readonly lock: string;
}

/**
 * @param home absolute
 * @param data absolute: the folder of its data, where that is not in it
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

/** A short name that tells the servers of several homes apart, which share the cookies of one machine. */
export const realmOf = (home: string): string =>
  createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 8);
