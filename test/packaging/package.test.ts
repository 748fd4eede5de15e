import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { launchElectron, type LaunchedElectron } from '../electron-standin/launch-electron.ts';
import { PackedApp } from './packed-app.ts';

/**
 * Packages the built app as electron-builder does for an installer, with the stand-in instead of the Electron
 * binary, inspects the result, and starts it. Linux only: the unpacked folder has another layout elsewhere.
 */
const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
/**
 * Bytes of the archive and of the unpacked files next to it. The embedded database takes 22 million of them,
 * of which 1.5 are its extensions and 4.5 the empty database that a new home copies.
 */
const sizeBudget = 61_000_000;
const FUSE_ON = '1'.charCodeAt(0);
const FUSE_OFF = '0'.charCodeAt(0);

const packed = new PackedApp();
const { folder: app, archive } = packed;

/** Paths in the archive, including folders and unpacked files. */
const listFiles = (): string[] => listPackage(archive, { isPack: false });

async function launch(home: string): Promise<LaunchedElectron> {
  const launched = await launchElectron({
    executable: packed.executable,
    env: { ENGINE_HOME: home, STEPWRIGHT_TEST: '1' },
  });
  onTestFinished(() => launched.close());
  return launched;
}

if (process.platform === 'linux') {
  beforeAll(() => packed.pack(), 120_000);
  afterAll(() => packed.remove());

  describe('package contents', () => {
    test('contain every bundle, the samples and the licence', () => {
      expect(listFiles()).toEqual(
        expect.arrayContaining([
          '/LICENSE',
          '/package.json',
          '/out/main/index.js',
          '/out/preload/index.cjs',
          '/out/cli/engine.js',
          '/out/worker/jq.cjs',
          '/out/loading/thread.cjs',
          '/out/log-search/thread.cjs',
          '/out/pronouns/thread.cjs',
          '/out/database/thread.cjs',
          '/out/gateway-body/thread.cjs',
          '/out/supervisor/program.cjs',
          '/out/renderer/index.html',
          '/resources/icons/tray-idle.png',
          '/resources/quotes/quotes.json',
          '/resources/quotes/structures.json',
          '/resources/samples/sales-etl.yaml',
          '/resources/samples/data/orders.csv',
        ]),
      );
    });

    test('contain no sources, tests or type declarations', () => {
      const folders = new Set(listFiles().map((path) => path.split('/')[1]));
      expect(folders).toEqual(new Set(['LICENSE', 'node_modules', 'out', 'package.json', 'resources']));
      expect(listFiles().filter((path) => /\.(ts|tsx|mts|cts|map)$/.test(path))).toEqual([]);
      expect(listFiles()).not.toContain('/out/.sources');
      const icons = listFiles().filter((path) => path.startsWith('/resources/icons/icon'));
      expect(icons).toEqual(['/resources/icons/icon.png']);
    });

    test('include third-party licences next to the archive, also of its native packages', () => {
      const text = readFileSync(join(app, 'resources/THIRD-PARTY-LICENSES.txt'), 'utf8');
      for (const name of ['elkjs', 'react', '@electric-sql/pglite', 'better-sqlite3', '@lydell/node-pty'])
        expect(text).toContain(`\n${name} `);
      expect(listFiles()).not.toContain('/out/THIRD-PARTY-LICENSES.txt');
    });

    test('contain run-time dependencies only', () => {
      const packages = listFiles().flatMap(
        (path) => /^\/node_modules\/((?:@[^/]+\/)?[^/@]+)$/.exec(path)?.[1] ?? [],
      );
      const native = packages.filter((name) => name.startsWith('@lydell/node-pty-linux-'));
      expect(native).toHaveLength(1);
      expect(new Set(packages)).toEqual(
        new Set([...native, '@electric-sql/pglite', 'better-sqlite3', 'node-pty', 'systeminformation']),
      );
    });

    test('contain only the files of the embedded database that its thread loads', () => {
      const folder = '/node_modules/@electric-sql/pglite/dist/';
      const files = listFiles().filter((path) => path.startsWith(folder));
      const names = files.map((path) => path.slice(folder.length));
      const extensions = names.filter((name) => name.endsWith('.tar.gz'));
      expect(extensions).toContain('pgcrypto.tar.gz');
      expect(names.filter((name) => !extensions.includes(name)).toSorted()).toEqual([
        'fs',
        'fs/nodefs.cjs',
        'index.cjs',
        'initdb.wasm',
        'pglite.data',
        'pglite.wasm',
      ]);
      expect(listFiles()).toContain('/out/database/empty.tar.gz');
    });

    test('have native binaries outside the archive, of this platform only', () => {
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

    test('are small, apart from Electron itself', () => {
      const size = statSync(archive).size;
      const unpacked = readdirSync(`${archive}.unpacked`, { recursive: true, encoding: 'utf8' })
        .map((path) => statSync(join(`${archive}.unpacked`, path)))
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + entry.size, 0);
      expect(size + unpacked).toBeLessThan(sizeBudget);
    });

    test('have the fuses of electron-builder.yml', async () => {
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
  });

  describe('the engine command next to the archive', () => {
    const wrapper = join(packed.runnable, 'resources/bin/engine');

    test('works through a link, and is the app itself, run as Node', async () => {
      expect(statSync(join(app, 'resources/bin/engine')).mode & 0o111).not.toBe(0);
      const link = packed.file('engine-link');
      symlinkSync(wrapper, link);
      const { stdout } = await run(link, ['--version']);
      expect(stdout).toContain(manifest.version);
      expect(readFileSync(join(app, 'resources/bin/engine.cmd'), 'utf8')).toContain('ELECTRON_RUN_AS_NODE=1');
    });

    test('runs a workflow using only packaged files', async () => {
      const file = join(ROOT, 'test/packaging/hello.yaml');
      const home = packed.file('command-home');
      const { stdout } = await run(wrapper, ['start', file, '--format', 'json', '--engine-home', home]);
      expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded', outputs: { GREETING: 'hello' } });
    });

    test('has the embedded database', async () => {
      const words = ['gateway', 'psql', '--command', 'select 6 * 7 as n', '--format', 'json'];
      const { stdout } = await run(wrapper, [...words, '--engine-home', packed.file('database-home')]);
      expect(JSON.parse(stdout)).toMatchObject({ results: [{ rows: [['42']] }] });
    });
  });

  describe('the packaged app', () => {
    test('detects that it is packaged, finds its files, and shows the samples', async () => {
      const { app: started } = await launch(packed.file('new-home'));
      const window = await started.firstWindow();
      await window.getByRole('link', { name: 'Workflows', exact: true }).click();
      await window.getByRole('row').filter({ hasText: 'sales-etl' }).waitFor();
      const facts = await started.evaluate(({ app: electron }) => ({
        isPackaged: electron.isPackaged,
        version: electron.getVersion(),
        resources: process.resourcesPath,
      }));
      expect(facts).toEqual({
        isPackaged: true,
        version: manifest.version,
        resources: join(packed.runnable, 'resources'),
      });
    });

    test('opens its window, and runs a workflow by a click', async () => {
      const home = packed.file('used-home');
      mkdirSync(join(home, 'dags'), { recursive: true });
      copyFileSync(join(ROOT, 'test/packaging/hello.yaml'), join(home, 'dags/hello.yaml'));
      const { app: started } = await launch(home);
      const window = await started.firstWindow();
      await window.getByRole('link', { name: 'Workflows', exact: true }).click();
      await window.getByRole('button', { name: 'Run hello' }).click();
      const head = window
        .locator('header')
        .filter({ has: window.getByRole('heading', { level: 1, name: 'hello' }) });
      const status = head.getByText('Succeeded', { exact: true });
      await status.waitFor();
      expect(await status.isVisible()).toBe(true);
    });
  });
}
