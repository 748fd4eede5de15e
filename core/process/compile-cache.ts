import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Caches compiled code of the program, which reduces the startup time of the next command by a third. Skipped if the
 * cache cannot be written, or if Node already does this with `NODE_COMPILE_CACHE`. Skipped for an AppImage, which is
 * mounted at a different path each time, so that the cache would only grow.
 */
export function startCompileCache(environment: Environment): void {
  const folder = chooseCompileCache(environment);
  if (folder !== undefined && !environment['NODE_COMPILE_CACHE']) enableCompileCache(folder);
}

/** Returns the cache directory; undefined if caching is off. */
export function chooseCompileCache(environment: Environment): string | undefined {
  if (environment['APPIMAGE'] || environment['NODE_DISABLE_COMPILE_CACHE']) return undefined;
  const { NODE_COMPILE_CACHE: chosen } = environment;
  if (chosen) return path.resolve(chosen);
  return isOwnedByUser(homedir()) ? findCompileCache(environment) : undefined;
}

/**
 * Returns a directory of the user. The cache contains executable code, so Node's default, a fixed name in the
 * temporary directory, would be unsafe where others can write to it first.
 */
export function findCompileCache(environment: Environment, platform = process.platform): string {
  const user = homedir();
  if (platform === 'win32')
    return path.join(
      environment['LOCALAPPDATA'] ?? path.join(user, 'AppData', 'Local'),
      'Stepwright',
      'Cache',
    );
  if (platform === 'darwin') return path.join(user, 'Library', 'Caches', 'Stepwright');
  const { XDG_CACHE_HOME: chosen = '' } = environment;
  return path.join(path.isAbsolute(chosen) ? chosen : path.join(user, '.cache'), 'stepwright');
}

/**
 * Whether the directory belongs to this user. With the permissions of one user and the home of another (`sudo -E`),
 * the other user's cache is not executed.
 */
function isOwnedByUser(folder: string): boolean {
  try {
    return process.getuid === undefined || statSync(folder).uid === process.getuid();
  } catch {
    return false;
  }
}
