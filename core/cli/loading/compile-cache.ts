import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Keeps the compiled form of the program for the next command, which then starts in two thirds of the time. Where it
 * cannot be written, nothing is kept. With `NODE_COMPILE_CACHE` Node has begun to do so by itself, elsewhere. An AppImage
 * lies in another place each time it is started, so that nothing would ever be found again, and the folder would grow.
 */
export function keepCompiledCode(environment: Environment): void {
  const folder = chooseCompileCache(environment);
  if (folder !== undefined && !environment['NODE_COMPILE_CACHE']) enableCompileCache(folder);
}

/** Where compiled code is kept in this environment; nothing where none is to be. */
export function chooseCompileCache(environment: Environment): string | undefined {
  if (environment['APPIMAGE'] || environment['NODE_DISABLE_COMPILE_CACHE']) return undefined;
  const { NODE_COMPILE_CACHE: chosen } = environment;
  if (chosen) return path.resolve(chosen);
  return isOwn(homedir()) ? findCompileCache(environment) : undefined;
}

/**
 * A folder of the user alone: what is in it is executed, so that Node's own choice, a fixed name in the folder for
 * temporary files, is not good enough where others can write there before.
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

/** With the rights of one user and the home of another (`sudo -E`) nothing of theirs is executed. */
function isOwn(folder: string): boolean {
  try {
    return process.getuid === undefined || statSync(folder).uid === process.getuid();
  } catch {
    return false;
  }
}
