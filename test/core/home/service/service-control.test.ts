import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { planService, ServiceControl } from '../../../../core/home/service/service-control.ts';
import type { ServiceInfo, ServicePlatform } from '../../../../core/home/service/service-info.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

let folder: string;
let told: string[];
/** The word by which the manager rejects a command. */
let refused: string | undefined;

beforeEach(() => {
  folder = makeTemporaryFolder();
  [told, refused] = [[], undefined];
});

/** A service whose manager records its commands. */
function open(platform: ServicePlatform = 'linux', more: Partial<ServiceInfo> = {}) {
  const plan = planService({
    platform,
    home: path.join(folder, 'home'),
    isUsualHome: true,
    engine: { program: '/opt/stepwright', args: [], environment: {} },
    userFolder: folder,
    configFolder: path.join(folder, 'config'),
    userId: 1000,
    userName: 'DESK\\ann',
    environment: {},
    ...more,
  });
  const control = new ServiceControl(plan, (argv) => {
    const line = argv.join(' ');
    const isQuery = line === plan.query.join(' ');
    if (!isQuery) told.push(line);
    if (refused !== undefined && line.includes(refused))
      return Promise.resolve({ exitCode: 1, stdout: '', error: 'no bus' });
    return Promise.resolve({
      exitCode: 0,
      stdout: isQuery ? 'LoadState=loaded\nActiveState=active\nUnitFileState=enabled\n' : '',
    });
  });
  return { plan, control };
}

test.each(['linux', 'darwin', 'win32'] as const)(
  'on %s is installed and loaded, and uninstalled without leftovers',
  async (platform) => {
    const { plan, control } = open(platform);
    expect(await control.status()).toMatchObject({ installed: false, outdated: false });
    await control.install();
    expect(told).toEqual(plan.install.map(({ argv }) => argv.join(' ')));
    expect(readFileSync(plan.file, plan.encoding).replace(/^\uFEFF/, '')).toBe(plan.text);
    expect(await control.status()).toMatchObject({ installed: true, outdated: false });
    told.length = 0;
    await control.stop();
    await control.start();
    await control.uninstall();
    expect(told).toEqual(
      [...plan.stop, ...plan.start, ...plan.uninstall, ...plan.forget].map(({ argv }) => argv.join(' ')),
    );
    expect(existsSync(plan.file)).toBe(false);
  },
);

test('has the state that systemd reports', async () => {
  const { control } = open();
  await control.install();
  expect(await control.status()).toMatchObject({ running: true, enabled: true });
});

test('a manager that rejects leaves the previous state, and says what to do', async () => {
  const { plan, control } = open();
  refused = 'enable';
  await expect(control.install()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      /enable stepwright\.service failed: no bus\. A systemd user session is required/,
    ),
  });
  expect(existsSync(plan.file)).toBe(false);

  refused = undefined;
  await control.install();
  writeFileSync(plan.file, 'of another release');
  expect(await control.status()).toMatchObject({ installed: true, outdated: true });
  refused = 'restart';
  await expect(control.install()).rejects.toMatchObject({ code: 'unavailable' });
  expect(readFileSync(plan.file, 'utf8')).toBe('of another release');
  refused = undefined;
  await control.install();
  expect(await control.status()).toMatchObject({ outdated: false });
});

test('a missing one is neither started nor stopped; a missing manager is reported', async () => {
  const { control } = open();
  await expect(control.start()).rejects.toMatchObject({ code: 'not_found' });
  await expect(control.stop()).rejects.toMatchObject({ code: 'not_found' });
  refused = 'show';
  expect((await control.status()).problem).toMatch(
    /systemd does not respond for this user: no bus\..*start-all/,
  );
  expect(told).toEqual([]);
});
