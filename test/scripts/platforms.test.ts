import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFilesOfOtherPlatforms, PLATFORM_FILES } from '../harness/setup/platforms.ts';

const ROOT = join(import.meta.dirname, '../..');

const listFiles = (globs: readonly string[]): string[] =>
  globSync([...globs], { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));

it.each(PLATFORM_FILES.flatMap(({ files }) => files))('platform-specific files exist: %s', (glob) => {
  expect(listFiles([glob])).not.toEqual([]);
});

it('excludes no file on Linux, and Linux-only files elsewhere', () => {
  expect(listFilesOfOtherPlatforms('linux')).toEqual([]);
  expect(listFilesOfOtherPlatforms('darwin')).toContain('test/faults/**');
  expect(listFilesOfOtherPlatforms('win32')).toContain('test/core/process/terminal.test.ts');
});

it('every test file that reads /proc is listed, or registers its cases by platform', () => {
  const listed = new Set(listFiles(PLATFORM_FILES.flatMap(({ files }) => files)));
  const unlisted = listFiles(['test/**/*.test.ts']).filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return !listed.has(file) && /\/proc\/(self|\$)/.test(text) && !text.includes('process.platform');
  });
  expect(unlisted).toEqual([]);
});
