import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findCompileCache } from '../../../core/process/compile-cache.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

const user = homedir();

test.each([
  ['linux', {}, path.join(user, '.cache/stepwright')],
  ['linux', { XDG_CACHE_HOME: '/var/mine' }, path.join('/var/mine/stepwright')],
  ['linux', { XDG_CACHE_HOME: 'relative' }, path.join(user, '.cache/stepwright')],
  ['darwin', { XDG_CACHE_HOME: '/var/mine' }, path.join(user, 'Library/Caches/Stepwright')],
  ['win32', { LOCALAPPDATA: '/local' }, path.join('/local/Stepwright/Cache')],
  ['win32', {}, path.join(user, 'AppData/Local/Stepwright/Cache')],
] as const)(
  'on %s with %j stores compiled code in a directory of the user',
  (platform, environment, folder) => {
    expect(findCompileCache(environment, platform)).toBe(folder);
  },
);

test.each([
  ['nothing else', {}, true],
  ['another Node directory', { NODE_COMPILE_CACHE: '/elsewhere' }, false],
  [
    'an AppImage, which is mounted at another path each time',
    { APPIMAGE: '/home/ann/Stepwright.AppImage' },
    false,
  ],
])('with %s in the environment', async (_name, more, isKept) => {
  const cache = makeTemporaryFolder();
  const { NODE_COMPILE_CACHE: _own, APPIMAGE: _image, ...environment } = process.env;
  const file = path.join(import.meta.dirname, '../../../core/process/compile-cache.ts');
  const script = `
    const { startCompileCache } = await import(process.argv[1]);
    startCompileCache(JSON.parse(process.argv[2]));
    process.stdout.write(String((await import('node:module')).getCompileCacheDir()));`;
  const words = [
    '--input-type=module',
    '-e',
    script,
    file,
    JSON.stringify({ XDG_CACHE_HOME: cache, ...more }),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: environment });
  expect(stdout.startsWith(cache) || process.platform !== 'linux').toBe(
    isKept || process.platform !== 'linux',
  );
});
