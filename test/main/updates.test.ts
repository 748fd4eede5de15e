import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import {
  type Updater,
  Updates,
  updatesUnavailableReason,
  NetworkSettingsApplier,
  runVariables,
  toProxyConfig,
} from '../../main/updates.ts';
import { defaultSettings } from '../../main/settings.ts';
import { FakeClock } from '../harness/fakes.ts';
import { until, makeTemporaryFolder } from '../harness/resources.ts';

/** Finds version 2 immediately. */
class FakeUpdater extends EventEmitter {
  autoDownload = false;
  autoInstallOnAppQuit = true;
  logger: unknown;
  checks = 0;
  installed = 0;
  failure: Error | undefined;
  checkForUpdates(): Promise<null> {
    this.checks += 1;
    if (this.failure) return Promise.reject(this.failure);
    this.emit('update-available', { version: '2.0.0' });
    return Promise.resolve(null);
  }
  quitAndInstall(): void {
    this.installed += 1;
  }
}

let updater: FakeUpdater;
let clock: FakeClock;
let active: number;
let automatic: boolean;
let told: string[];
let steps: string[];
let endRuns: () => void;

const make = (offBecause?: string): Updates =>
  new Updates({
    offBecause,
    load: () => Promise.resolve(updater as unknown as Updater),
    clock,
    isAutomatic: () => automatic,
    activeRuns: () => active,
    idle: () =>
      active === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            endRuns = () => {
              active = 0;
              resolve();
            };
          }),
    resume: () => void steps.push('goes on'),
    closeEngine: () => Promise.resolve(void steps.push('closed')),
    onChange: ({ state }) => void steps.push(state),
    notifyReady: (version) => void told.push(version),
    reportFailure: (what) => void told.push(what),
  });

beforeEach(() => {
  updater = new FakeUpdater();
  clock = new FakeClock();
  [active, automatic, told, steps] = [0, true, [], []];
});

it('checks some time after the start and then several times a day, downloads and notifies', async () => {
  const updates = make();
  updates.begin();
  clock.advance(59_000);
  expect(updater.checks).toBe(0);
  clock.advance(2_000);
  await until(() => updates.view.state === 'downloading');
  updater.emit('download-progress', { percent: 41.7 });
  expect(updates.view).toMatchObject({ version: '2.0.0', percent: 40 });
  updater.emit('update-downloaded', { version: '2.0.0' });
  expect(updates.view).toMatchObject({ state: 'ready', version: '2.0.0' });
  expect(told).toEqual(['2.0.0']);
  expect(updater).toMatchObject({ autoInstallOnAppQuit: false, installed: 0 });
  updates.stop();
});

it('does not check when disabled', () => {
  automatic = false;
  const updates = make();
  updates.begin();
  clock.advance(100 * 3_600_000);
  expect(updater.checks).toBe(0);
  updates.stop();
});

it('restarts only when the engine is closed', async () => {
  const updates = make();
  await updates.check();
  expect((await updates.install()).state).toBe('downloading');
  updater.emit('update-downloaded', { version: '2.0.0' });
  await updates.install();
  expect(updater.installed).toBe(1);
  expect(steps.at(-1)).toBe('closed');
});

it('delays the restart until no run is active', async () => {
  active = 2;
  const updates = make();
  await updates.check();
  updater.emit('update-downloaded', { version: '2.0.0' });
  expect((await updates.install()).state).toBe('waiting');
  expect(updater.installed).toBe(0);
  endRuns();
  await until(() => updater.installed === 1);
});

it('cancels a pending restart, and continues with new runs', async () => {
  active = 2;
  const updates = make();
  await updates.check();
  updater.emit('update-downloaded', { version: '2.0.0' });
  await updates.install();
  expect(updates.stay()).toMatchObject({ state: 'ready', version: '2.0.0' });
  expect(steps.at(-1)).toBe('goes on');
  endRuns();
  await Promise.resolve();
  expect(updates.stay().state).toBe('ready');
  // The cancelled wait is over by now, and has restarted nothing; a later request does.
  await updates.install();
  expect(updater.installed).toBe(1);
  expect(updates.stay().state).toBe('restarting');
});

it('reports a failed check once, and checks again', async () => {
  const updates = make();
  updater.failure = new Error('no such host');
  expect(await updates.check()).toMatchObject({ state: 'failed', reason: 'no such host' });
  updater.emit('error', updater.failure);
  expect(told).toHaveLength(1);
  updater.failure = undefined;
  expect((await updates.check()).state).toBe('downloading');
});

it('is off in development and without a feed', async () => {
  expect(updatesUnavailableReason({ isPackaged: false, hasFeed: true, forced: false })).toContain(
    'Development build',
  );
  expect(updatesUnavailableReason({ isPackaged: true, hasFeed: false, forced: false })).toContain(
    'no update source',
  );
  expect(updatesUnavailableReason({ isPackaged: true, hasFeed: true, forced: false })).toBeUndefined();
  const updates = make('a development copy');
  updates.begin();
  expect(await updates.check()).toEqual({ state: 'off', reason: 'a development copy' });
  expect(updater.checks).toBe(0);
});

const { network } = defaultSettings;
const manual = { ...network, proxyMode: 'manual', proxy: 'http://p:3128', proxyBypass: 'localhost' } as const;
let problems: string[];
let trusted: readonly string[];
let proxies: unknown[];
let changes: unknown[];
let choice: NetworkSettingsApplier;

beforeEach(() => {
  [problems, trusted, proxies, changes] = [[], [], [], []];
  choice = new NetworkSettingsApplier(
    { setProxy: (config) => Promise.resolve(void proxies.push(config)) },
    (certificates) => void (trusted = certificates),
    (...given) => void changes.push(given),
    (text) => void problems.push(text),
  );
});

const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

it('passes only the proxy of the settings to runs', async () => {
  expect(runVariables(network)).toEqual([{}, []]);
  const none = Object.fromEntries(names.map((name) => [name, '']));
  expect(runVariables({ ...network, proxyMode: 'none' })).toEqual([none, []]);
  const both = (name: string, value: string) => ({ [name]: value, [name.toLowerCase()]: value });
  const variables = {
    ...both('HTTP_PROXY', 'http://p:3128'),
    ...both('HTTPS_PROXY', 'http://p:3128'),
    ...both('NO_PROXY', 'localhost'),
  };
  expect(runVariables(manual)).toEqual([variables, names]);
  const apart = { ...manual, forSteps: false };
  expect(runVariables(apart)).toEqual([variables, []]);
  await choice.apply(manual);
  await choice.apply(apart);
  expect(changes).toEqual([runVariables(manual), runVariables(apart)]);
});

it('uses the same proxy for the updater', async () => {
  expect(toProxyConfig(network)).toEqual({ mode: 'system' });
  expect(toProxyConfig({ ...network, proxyMode: 'none' })).toEqual({ mode: 'direct' });
  await choice.apply(manual);
  await choice.apply({ ...manual });
  expect(proxies).toEqual([
    { mode: 'fixed_servers', proxyRules: 'http://p:3128', proxyBypassRules: 'localhost' },
  ]);
});

it('reports an invalid proxy, and uses none', async () => {
  await choice.apply({ ...manual, proxy: 'p:3128' });
  expect(problems.join()).toContain('Invalid proxy URL "p:3128"');
  expect(proxies).toEqual([{ mode: 'direct' }]);
});

it('reports nothing while none is set', async () => {
  await choice.apply({ ...manual, proxy: '' });
  expect(problems).toEqual([]);
  expect(proxies).toEqual([{ mode: 'direct' }]);
});

it('trusts the certificates of a file, or reports what is wrong with it', async () => {
  const file = path.join(makeTemporaryFolder(), 'ca.pem');
  const pem = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----';
  writeFileSync(file, `# ours\n${pem}\n${pem}\n`);
  await choice.apply({ ...network, caFile: file });
  expect(trusted).toEqual([pem, pem]);
  writeFileSync(file, 'nothing');
  await choice.apply({ ...network, proxyMode: 'none', caFile: file });
  await choice.apply({ ...network, caFile: `${file}.gone` });
  expect(problems).toEqual([
    expect.stringContaining('contains no PEM certificate'),
    expect.stringContaining('Could not read'),
  ]);
});
