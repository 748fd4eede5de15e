import { execFile } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchElectron } from '../electron-standin/launch-electron.ts';

/**
 * Packs the built app as electron-builder does for an installer, with a file that carries a fuse wire in the place of
 * the Electron binary, and looks at what came out. Linux only: the unpacked folder has another layout elsewhere.
 */
const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
/** Bytes of the archive and of what lies unpacked beside it. */
const sizeBudget = 40_000_000;
const FUSE_ON = '1'.charCodeAt(0);
const FUSE_OFF = '0'.charCodeAt(0);

const output = mkdtempSync(join(tmpdir(), 'stepwright-package-'));
const app = join(output, 'linux-unpacked');
const archive = join(app, 'resources/app.asar');
const extracted = join(output, 'extracted');

/** Paths in the archive, folders too, those of unpacked files included. */
const listFiles = (): string[] => listPackage(archive, { isPack: false });

if (process.platform === 'linux') {
  beforeAll(async () => {
    const builder = join(ROOT, 'node_modules/electron-builder/cli.js');
    const electron = join(ROOT, 'test/electron-standin/packaging-dist');
    const options = [`-c.electronDist=${electron}`, `-c.directories.output=${output}`, '--publish=never'];
    await run(process.execPath, [builder, '--linux', 'dir', ...options], { cwd: ROOT });
    // Plain Node reads no archives.
    extractAll(archive, extracted);
  }, 120_000);
  afterAll(() => rmSync(output, { recursive: true }));

  describe('the packaged app', () => {
    test('holds every bundle, the samples and the licence', () => {
      expect(listFiles()).toEqual(
        expect.arrayContaining([
          '/LICENSE',
          '/package.json',
          '/out/main/index.js',
          '/out/preload/index.cjs',
          '/out/cli/engine.js',
          '/out/worker/jq.cjs',
          '/out/log-search/thread.cjs',
          '/out/supervisor/program.cjs',
          '/out/renderer/index.html',
          '/resources/icons/tray-idle.png',
          '/resources/samples/sales-etl.yaml',
          '/resources/samples/data/orders.csv',
        ]),
      );
    });

    test('holds no sources, tests or type declarations', () => {
      const folders = new Set(listFiles().map((path) => path.split('/')[1]));
      expect(folders).toEqual(new Set(['LICENSE', 'node_modules', 'out', 'package.json', 'resources']));
      expect(listFiles().filter((path) => /\.(ts|tsx|mts|cts|map)$/.test(path))).toEqual([]);
      expect(listFiles()).not.toContain('/out/.sources');
    });

    test('holds run-time dependencies only', () => {
      const packages = listFiles().flatMap(
        (path) => /^\/node_modules\/((?:@[^/]+\/)?[^/@]+)$/.exec(path)?.[1] ?? [],
      );
      const native = packages.filter((name) => name.startsWith('@lydell/node-pty-linux-'));
      expect(native).toHaveLength(1);
      expect(new Set(packages)).toEqual(
        new Set([...native, 'better-sqlite3', 'node-pty', 'systeminformation']),
      );
    });

    test('keeps native binaries outside the archive, those of this platform only', () => {
      const unpacked = readdirSync(`${archive}.unpacked`, { recursive: true, encoding: 'utf8' });
      const binaries = unpacked.filter((path) => path.endsWith('.node'));
      expect(binaries).toEqual(
        listFiles().flatMap((path) => (path.endsWith('.node') ? [path.slice(1)] : [])),
      );
      expect(binaries.filter((path) => !path.includes('linux'))).toEqual([]);
      for (const name of ['better-sqlite3', 'node-pty']) {
        expect(binaries.some((path) => path.includes(name))).toBe(true);
      }
    });

    test('ships the command engine beside the archive', async () => {
      const wrapper = join(app, 'resources/bin/engine');
      expect(statSync(wrapper).mode & 0o111).not.toBe(0);
      // The binary is a stand-in here: what the wrapper starts, and with what, is all there is to see.
      const binary = join(app, 'stepwright');
      const kept = readFileSync(binary);
      onTestFinished(() => writeFileSync(binary, kept));
      writeFileSync(binary, '#!/bin/sh\necho "$ELECTRON_RUN_AS_NODE" "$@"\n');
      const link = join(output, 'engine-link');
      symlinkSync(wrapper, link);
      const { stdout } = await run(link, ['start', 'a b']);
      expect(stdout).toBe(`1 ${join(app, 'resources/app.asar/out/cli/engine.js')} start a b\n`);
      expect(readFileSync(join(app, 'resources/bin/engine.cmd'), 'utf8')).toContain('ELECTRON_RUN_AS_NODE=1');
    });

    test('is small, but for Electron itself', () => {
      const size = statSync(archive).size;
      const unpacked = readdirSync(`${archive}.unpacked`, { recursive: true, encoding: 'utf8' })
        .map((path) => statSync(join(`${archive}.unpacked`, path)))
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + entry.size, 0);
      expect(size + unpacked).toBeLessThan(sizeBudget);
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

    test('opens its window and shows the samples', async () => {
      const launched = await launchElectron({
        application: extracted,
        env: { ENGINE_HOME: join(output, 'desktop-home') },
      });
      onTestFinished(() => launched.close());
      const window = await launched.app.firstWindow();
      await window.getByRole('link', { name: 'Workflows', exact: true }).click();
      await window.getByRole('row').filter({ hasText: 'sales-etl' }).waitFor();
      expect(await window.getByRole('button', { name: 'Run monthly-summary' }).isEnabled()).toBe(true);
    });
  });
}
