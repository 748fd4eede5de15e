import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type RequestOptions, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { AppImageUpdater } from 'electron-updater';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { waitForRuns } from '../../main/serve-home.ts';
import { type Updater, Updates } from '../../main/updates.ts';
import { makeTemporaryFolder, until } from '../harness/resources.ts';
import { TestEngine } from '../harness/engine.ts';

/**
 * The real electron-updater with a feed of its generic provider on this machine: an AppImage is found,
 * downloaded, verified and replaced; the images here are scripts. Electron itself is Node's HTTP client.
 */
const updaterRequire = createRequire(createRequire(import.meta.url).resolve('electron-updater'));

let folder: string;
let server: Server;
let asked: string[];
/** Files of the feed, by path. */
let feed: Map<string, string>;

/** The executable, and its output. */
const appImage = (): string => path.join(folder, 'Stepwright.AppImage');
const marker = (): string => path.join(folder, 'started');
const makeScript = (version: string): string => `#!/bin/sh\necho ${version} > '${marker()}'\n`;

/** Publishes a version on the feed, as electron-builder does for packages. */
function publish(version: string, checked = makeScript(version)): void {
  const file = makeScript(version);
  const name = `stepwright-${version}-linux-x86_64.AppImage`;
  const sha512 = createHash('sha512').update(checked).digest('base64');
  feed.set(`/${name}`, file);
  feed.set(
    '/latest-linux.yml',
    [
      `version: ${version}`,
      'files:',
      `  - url: ${name}`,
      `    sha512: ${sha512}`,
      `    size: ${file.length}`,
      `path: ${name}`,
      `sha512: ${sha512}`,
      `releaseDate: '2026-01-01T00:00:00.000Z'`,
    ].join('\n'),
  );
}

/** The part of Electron that electron-updater uses: downloads, and quitting. */
function standInForElectron(): void {
  const file = updaterRequire.resolve('electron');
  const { cache } = updaterRequire;
  const kept = cache[file];
  const electron = {
    autoUpdater: new EventEmitter(),
    session: { fromPartition: () => undefined },
    net: {
      request: (options: RequestOptions) => httpRequest(options),
    },
  };
  cache[file] = { exports: electron, loaded: true } as unknown as NodeJS.Module;
  onTestFinished(() => {
    if (kept === undefined) delete cache[file];
    else cache[file] = kept;
  });
}

/** The app of version 1, with an engine. @returns its actions, in order */
function startApp(engine: TestEngine): { updates: Updates; done: string[] } {
  standInForElectron();
  const done: string[] = [];
  const { port } = server.address() as AddressInfo;
  const cacheFolder = path.join(folder, 'cache');
  const configFile = path.join(folder, 'app-update.yml');
  writeFileSync(
    configFile,
    `provider: generic\nurl: http://127.0.0.1:${port}\nupdaterCacheDirName: stepwright\n`,
  );
  const updater = new AppImageUpdater(null, {
    version: '1.0.0',
    name: 'stepwright',
    isPackaged: true,
    appUpdateConfigPath: configFile,
    userDataPath: path.join(folder, 'data'),
    baseCachePath: cacheFolder,
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => void done.push('quit'),
    onQuit: () => undefined,
  });
  updater.disableDifferentialDownload = true;
  // It expects the injected app to provide a client as well.
  const { ElectronHttpExecutor } = updaterRequire('./electronHttpExecutor.js') as {
    ElectronHttpExecutor: new () => object;
  };
  Object.assign(updater, { httpExecutor: new ElectronHttpExecutor() });
  const updates = new Updates({
    offBecause: undefined,
    load: () => Promise.resolve(updater as unknown as Updater),
    clock: engine.clock,
    isAutomatic: () => false,
    activeRuns: () => engine.host.activeExecutions().length,
    async idle() {
      await engine.host.pauseServices();
      await waitForRuns(engine.host);
    },
    resume: () => undefined,
    closeEngine: () =>
      Promise.resolve(void done.push(`closed with ${engine.host.activeExecutions().length} runs`)),
    onChange: ({ state }) => void (done.at(-1) === state || done.push(state)),
    notifyReady: () => undefined,
    reportFailure: () => undefined,
  });
  return { updates, done };
}

if (process.platform === 'linux') {
  beforeEach(async () => {
    folder = makeTemporaryFolder();
    mkdirSync(path.join(folder, 'data'));
    [asked, feed] = [[], new Map()];
    server = createServer(({ url = '' }, response) => {
      const { pathname } = new URL(url, 'http://feed');
      asked.push(pathname);
      const found = feed.get(pathname);
      response.writeHead(found === undefined ? 404 : 200).end(found);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    writeFileSync(appImage(), makeScript('1.0.0'));
    chmodSync(appImage(), 0o755);
    vi.stubEnv('APPIMAGE', appImage());
  });
  afterEach(() => void server.close());

  test('a new version is downloaded and installed, but never during a run', async () => {
    publish('2.0.0');
    const engine = new TestEngine();
    const latch = path.join(folder, 'gate');
    const run = await engine.start(
      `steps:\n  - name: wait\n    command: while [ ! -e '${latch}' ]; do sleep 0.05; done\n`,
    );
    const { updates, done } = startApp(engine);
    await updates.check();
    await until(() => updates.view.state === 'ready');
    expect(updates.view).toMatchObject({ version: '2.0.0' });

    await updates.install();
    expect(updates.view.state).toBe('waiting');
    // Only the run is left to wait for.
    await engine.host.pauseServices();
    expect(readFileSync(appImage(), 'utf8')).toBe(makeScript('1.0.0'));
    expect(done).not.toContain('quit');

    writeFileSync(latch, '');
    expect((await engine.end(run)).status).toBe('succeeded');
    await until(() => done.includes('quit') && existsSync(marker()) && readFileSync(marker(), 'utf8') !== '');
    expect(done.slice(-2)).toEqual(['closed with 0 runs', 'quit']);
    expect(readFileSync(appImage(), 'utf8')).toBe(makeScript('2.0.0'));
    expect(readFileSync(marker(), 'utf8')).toBe('2.0.0\n');
    expect(asked).toEqual(['/latest-linux.yml', '/stepwright-2.0.0-linux-x86_64.AppImage']);
  });

  test('a file with another checksum than in the feed is not installed', async () => {
    publish('2.0.0', 'something else');
    const { updates } = startApp(new TestEngine());
    await updates.check();
    await until(() => updates.view.state === 'failed');
    expect(updates.view.reason).toContain('sha512');
    await updates.install();
    expect(readFileSync(appImage(), 'utf8')).toBe(makeScript('1.0.0'));
  });

  test('nothing happens without a newer version or without a feed', async () => {
    publish('1.0.0');
    const { updates } = startApp(new TestEngine());
    await updates.check();
    await until(() => updates.view.state === 'idle');
    feed.clear();
    await updates.check();
    await until(() => updates.view.state === 'failed');
    expect(updates.view.reason).toContain('404');
    expect(readFileSync(appImage(), 'utf8')).toBe(makeScript('1.0.0'));
  });
}
