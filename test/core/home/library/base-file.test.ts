import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BaseFile } from '../../../../core/home/library/base-file.ts';
import { MAX_FILE_BYTES } from '../../../../core/spec/limits.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const longAgo = new Date('2026-01-01');

function setUp(options: { isNamed?: boolean } = {}) {
  const file = path.join(makeTemporaryFolder(), 'base.yaml');
  const base = new BaseFile({ file, isNamed: options.isNamed === true }, systemClock);
  const save = (text: string | Buffer, changed = longAgo): void => {
    writeFileSync(file, text);
    utimesSync(file, changed, changed);
  };
  const getError = (): string => {
    const { config, diagnostics } = base.read();
    expect(config).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: 'error', file }]);
    return diagnostics[0]!.message;
  };
  return { file, base, save, getError };
}

describe('base configuration file', () => {
  test('can be missing, created, changed and deleted', () => {
    const { file, base, save } = setUp();
    const without = base.read();
    expect(without).toEqual({ diagnostics: [] });
    expect(base.read()).toBe(without);
    save('env: { A: 1 }');
    expect(base.read()).toMatchObject({
      text: 'env: { A: 1 }',
      config: { env: [{ name: 'A', value: '1' }] },
    });
    save('env: { AB: 2 }');
    expect(base.read()).toMatchObject({ config: { env: [{ name: 'AB' }] } });
    rmSync(file);
    expect(base.read()).toEqual({ diagnostics: [] });
  });

  test('stays the same object while its content is the same, even when it has just been saved', () => {
    const { base, save } = setUp();
    save('group: a');
    const first = base.read();
    expect(base.read()).toBe(first);
    save('group: a', new Date());
    expect(base.read()).toBe(first);
    expect(base.read()).toBe(first);
  });

  test('is reloaded after a change within one tick of the file system’s clock, of the same size', () => {
    const { base, save } = setUp();
    const now = new Date();
    for (const group of ['one', 'two']) {
      save(`group: ${group}`, now);
      expect(base.read()).toMatchObject({ config: { group } });
    }
  });

  test('reports its errors with locations, and no fields', () => {
    const { file, base, save } = setUp();
    save('env:\n  A: 1\nevn: {}\n');
    const broken = base.read();
    expect(broken).toMatchObject({
      config: undefined,
      diagnostics: [{ severity: 'error', file, line: 3, column: 1, path: 'evn' }],
    });
    expect(base.read()).toBe(broken);
    save('env: {A: "1"}');
    expect(base.read().diagnostics).toEqual([]);
  });

  test('reports a file that is not text, too large, a directory or a pipe', () => {
    const { file, save, getError } = setUp();
    save(Buffer.from('a\0b'));
    expect(getError()).toContain('NUL');
    save(`# ${'x'.repeat(MAX_FILE_BYTES)}`);
    expect(getError()).toContain('The file is 4.1 MiB. The limit for workflow files is 4 MiB.');
    save(`# ${'x'.repeat(64 * 1024)}`);
    expect(getError()).toContain('is larger than 64 KiB');
    rmSync(file);
    mkdirSync(file);
    expect(getError()).toContain('not a file');
    rmSync(file, { recursive: true });
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [file]);
    expect(getError()).toContain('not a file');
  });

  test('must exist when it was named explicitly', () => {
    const { save, base, getError } = setUp({ isNamed: true });
    expect(getError()).toContain('ENGINE_BASE_CONFIG');
    expect(base.read()).toBe(base.read());
    save('');
    expect(base.read()).toMatchObject({ diagnostics: [] });
  });
});
