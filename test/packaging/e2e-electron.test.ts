import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checklist, chooseBinary } from '../../scripts/package/make-packages.ts';
import { STANDIN_DIST } from '../electron-standin/launch-electron.ts';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright-e2e-electron-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An executable that does nothing. */
function makeBinary(name: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
}

describe('Electron binary for the specs', () => {
  test('is the installed one', () => {
    makeBinary('package/dist/electron');
    writeFileSync(join(folder, 'package/path.txt'), 'electron');
    expect(chooseBinary(join(folder, 'package'), {}, 'linux')).toEqual({
      folder: join(folder, 'package/dist'),
      reason: 'it is installed',
    });
  });

  test('is that of the variable: an executable, or its folder', () => {
    const linux = makeBinary('other/electron');
    const mac = makeBinary('mac/Electron.app/Contents/MacOS/Electron');
    const choose = (named: string, platform: NodeJS.Platform): unknown =>
      chooseBinary(join(folder, 'none'), { ELECTRON_BINARY: named }, platform);
    const reason = 'ELECTRON_BINARY says so';
    expect(choose(linux, 'linux')).toEqual({ folder: join(folder, 'other'), reason });
    expect(choose(join(folder, 'other'), 'linux')).toEqual({ folder: join(folder, 'other'), reason });
    expect(choose(mac, 'darwin')).toEqual({ folder: join(folder, 'mac'), reason });
  });

  test('is required when none exists, or none at the path in the variable', () => {
    const missing = (named?: string): string => {
      const chosen = chooseBinary(join(folder, 'none'), { ELECTRON_BINARY: named }, 'linux');
      return 'missing' in chosen ? chosen.missing : '';
    };
    expect(missing()).toContain('run: npx install-electron');
    expect(missing(join(folder, 'nothing'))).toContain('does not exist');
    expect(missing(makeBinary('tool'))).toContain('is no electron nor a folder that holds one');
  });
});

describe('npm run e2e:electron', () => {
  const start = (words: readonly string[], env: object): Promise<{ code: unknown; stdout: string }> =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/package/e2e-electron.ts'), ...words], {
      cwd: ROOT,
      env: { ...process.env, ...env },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: unknown; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    );

  test('runs the specs on the binary in the variable, and prints the manual checklist', async () => {
    const { code, stdout } = await start(
      ['test/e2e/desktop.spec.ts', '-g', 'a second start', `--output=${join(folder, 'results')}`],
      { ELECTRON_BINARY: STANDIN_DIST },
    );
    expect(stdout).toContain(`Electron in ${STANDIN_DIST}: ELECTRON_BINARY says so`);
    expect(stdout).toContain('1 passed');
    for (const line of checklist) expect(stdout).toContain(line);
    expect(code).toBe(0);
  }, 120_000);

  test('fails without a binary, and prints the checklist', async () => {
    const { code, stdout } = await start([], { ELECTRON_BINARY: join(folder, 'nothing') });
    expect(stdout).toContain('so no spec was run');
    expect(stdout).toContain(`[ ] ${checklist.length}. `);
    expect(code).toBe(1);
  });
});
