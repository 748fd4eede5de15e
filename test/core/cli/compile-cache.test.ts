import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findCompileCache } from '../../../core/cli/compile-cache.ts';

const user = homedir();

test.each([
  ['linux', {}, path.join(user, '.cache/stepwright')],
  ['linux', { XDG_CACHE_HOME: '/var/mine' }, path.join('/var/mine/stepwright')],
  ['linux', { XDG_CACHE_HOME: 'relative' }, path.join(user, '.cache/stepwright')],
  ['darwin', { XDG_CACHE_HOME: '/var/mine' }, path.join(user, 'Library/Caches/Stepwright')],
  ['win32', { LOCALAPPDATA: '/local' }, path.join('/local/Stepwright/Cache')],
  ['win32', {}, path.join(user, 'AppData/Local/Stepwright/Cache')],
] as const)(
  'on %s with %j compiled code is kept in a folder of the user',
  (platform, environment, folder) => {
    expect(findCompileCache(environment, platform)).toBe(folder);
  },
);
