import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * Packs the built app as electron-builder does for an installer, with a file that carries a fuse wire in the place of
 * the Electron binary, and looks at what came out. Linux only: the unpacked folder has another layout elsewhere.
 */
const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const FUSE_ON = '1'.charCodeAt(0);
const FUSE_OFF = '0'.charCodeAt(0);

const output = mkdtempSync(join(tmpdir(), 'stepwright-package-'));
const app = join(output, 'linux-unpacked');
const archive = join(app, 'resources/app.asar');

if (process.platform === 'linux') {
  beforeAll(async () => {
    const builder = join(ROOT, 'node_modules/electron-builder/cli.js');
    const electron = join(ROOT, 'test/electron-standin/packaging-dist');
    const options = [`-c.electronDist=${electron}`, `-c.directories.output=${output}`, '--publish=never'];
    await run(process.execPath, [builder, '--linux', 'dir', ...options], { cwd: ROOT });
  }, 120_000);
  afterAll(() => rmSync(output, { recursive: true }));

  describe('the packaged app', () => {
    test('holds every bundle, the samples and the licence', () => {
      expect(listPackage(archive, { isPack: false })).toEqual(
        expect.arrayContaining([
          '/LICENSE',
          '/package.json',
          '/out/main/index.js',
          '/out/preload/index.cjs',
          '/out/cli/engine.js',
          '/out/renderer/index.html',
          '/resources/samples',
        ]),
      );
    });

    test('holds run-time dependencies only', () => {
      const packages = listPackage(archive, { isPack: false }).flatMap(
        (path) => /^\/node_modules\/((?:@[^/]+\/)?[^/@]+)$/.exec(path)?.[1] ?? [],
      );
      const native = packages.filter((name) => name.startsWith('@lydell/node-pty-linux-'));
      expect(native).toHaveLength(1);
      expect(packages.sort()).toEqual([...native, 'better-sqlite3', 'node-pty', 'systeminformation'].sort());
    });

    test('has the fuses of electron-builder.yml', async () => {
      const fuses = await getCurrentFuseWire(join(app, 'stepwright'));
      expect(fuses).toMatchObject({
        [FuseV1Options.RunAsNode]: FUSE_ON,
        [FuseV1Options.EnableCookieEncryption]: FUSE_ON,
        [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: FUSE_OFF,
        [FuseV1Options.EnableNodeCliInspectArguments]: FUSE_OFF,
        [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: FUSE_ON,
        [FuseV1Options.OnlyLoadAppFromAsar]: FUSE_ON,
        [FuseV1Options.GrantFileProtocolExtraPrivileges]: FUSE_OFF,
      });
    });

    test('runs a workflow with nothing but what is inside', async () => {
      const extracted = join(output, 'extracted');
      extractAll(archive, extracted);
      const engine = join(extracted, 'out/cli/engine.js');
      const file = join(ROOT, 'test/packaging/hello.yaml');
      const home = join(output, 'home');
      const { stdout } = await run(process.execPath, [
        engine,
        'start',
        file,
        '--format',
        'json',
        '--engine-home',
        home,
      ]);
      expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded', outputs: { GREETING: 'hello' } });
    });
  });
}
