import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { LaunchRequest } from '../launch/launcher.ts';

/**
 * Throws the system error that a start would produce when the program cannot be started: with a pseudo-terminal only
 * the new process finds out, and it can only print the error and exit with code 1.
 */
export function checkProgram({ argv, env, cwd }: Pick<LaunchRequest, 'argv' | 'env' | 'cwd'>): void {
  const texts = [...argv, ...Object.entries(env).flat()];
  if (texts.some((text) => text.includes('\0')))
    throw launchError('EINVAL', 'an argument or variable contains a NUL byte');
  // On Windows, the library checks this itself and throws.
  if (process.platform === 'win32') return;
  const [program = ''] = argv;
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  let errorCode: 'ENOENT' | 'EACCES' = 'ENOENT';
  for (const folder of folders) {
    const verdict = judge(resolve(cwd, folder, program));
    if (verdict === 'executable') return;
    if (verdict === 'file') errorCode = 'EACCES';
  }
  throw launchError(errorCode, `${errorCode}: ${program}`);
}

function judge(path: string): 'executable' | 'file' | 'nothing' {
  if (statSync(path, { throwIfNoEntry: false, bigint: false })?.isFile() !== true) return 'nothing';
  try {
    accessSync(path, constants.X_OK);
    return 'executable';
  } catch {
    return 'file';
  }
}

const launchError = (code: string, message: string): NodeJS.ErrnoException =>
  Object.assign(new Error(message), { code });
