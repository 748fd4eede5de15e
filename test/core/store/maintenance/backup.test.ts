import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { homePaths } from '../../../../core/home/config/home.ts';
import { restoreBackup } from '../../../../core/store/maintenance/restore-backup.ts';
import { writeBackup } from '../../../../core/store/maintenance/write-backup.ts';
import { isSafePath } from '../../../../core/store/maintenance/backup-manifest.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

/** A home in use: an ended run, an active one, and files. */
async function makeHome() {
  const engine = new TestEngine({ home: path.join(makeTemporaryFolder(), 'home') });
  const { home } = engine;
  writeFileSync(path.join(home, 'dags', 'etl.yaml'), 'steps: [echo a]\n');
  writeFileSync(path.join(home, 'config.yaml'), 'tz: UTC\n');
  writeFileSync(path.join(home, '.env'), 'TOKEN=1\n');
  mkdirSync(path.join(home, 'desktop'));
  writeFileSync(path.join(home, 'desktop', 'window.json'), '{}');
  const ended = await engine.run('name: etl\nsteps: [echo a]');
  const active = await engine.start('name: slow\nsteps: [sleep 60]');
  await engine.untilRun(active, ({ steps }) => steps[0]!.status === 'running');
  return { engine, home, ended, active };
}

const backUp = (home: string, target: string, logs = false) =>
  writeBackup({ paths: homePaths(home), target, logs, version: '1.2.3', clock: new FakeClock() });

const restore = (backup: string, home: string, force = false) =>
  restoreBackup({ backup, home, force, clock: new FakeClock(Date.UTC(2026, 5, 1)) });

describe('backup of a home in use', () => {
  test('contains database and files, is private, and ends active runs when restored', async () => {
    const { home, ended, active } = await makeHome();
    const { file, manifest } = await backUp(home, makeTemporaryFolder());
    expect(path.basename(file)).toBe('stepwright-20260101T000000Z.tar.gz');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    expect(manifest.files.map((entry) => entry.path)).toEqual(
      expect.arrayContaining(['data/engine.db', '.env', 'config.yaml', 'dags/etl.yaml']),
    );
    expect(manifest.files.some((entry) => /^(logs|desktop)\//.test(entry.path))).toBe(false);

    const copy = path.join(makeTemporaryFolder(), 'new', 'home');
    expect(await restore(file, copy)).toMatchObject({ runsEnded: 1, taken: [] });
    expect(readFileSync(path.join(copy, '.env'), 'utf8')).toBe('TOKEN=1\n');
    const restored = new TestEngine({ home: copy });
    expect(await restored.get(ended)).toMatchObject({ status: 'succeeded' });
    const stopped = await restored.get(active);
    expect(stopped).toMatchObject({
      status: 'aborted',
      cause: 'engine',
      error: expect.stringContaining('backup'),
    });
    expect(stopped.steps[0]).toMatchObject({ status: 'aborted' });
    expect(await restored.host.hasOrphans()).toBe(false);
    expect(await restored.run('name: etl\nsteps: [echo b]')).toMatchObject({ status: 'succeeded' });
  });

  test('contains users and tokens, but neither the key nor ended sessions', async () => {
    const { engine, home } = await makeHome();
    const auth = await engine.host.auth();
    const ann = { username: 'ann', password: 'correct horse', role: 'admin' } as const;
    await auth.users.create(ann);
    const { secret } = auth.tokens.create({ name: 'ci', role: 'viewer' });
    const session = await auth.issueSession({ id: 'oidc:1', username: 'eve', role: 'viewer', via: 'oidc' });
    auth.endSession({ id: 'gone', expiresAt: session.expiresAt });
    const { file, manifest } = await backUp(home, makeTemporaryFolder());
    const inData = manifest.files.map((entry) => entry.path).filter((name) => name.startsWith('data/'));
    expect(inData.sort()).toEqual(['data/engine.db', 'data/tokens.json', 'data/users.json']);
    const copy = path.join(makeTemporaryFolder(), 'home');
    await restore(file, copy);
    expect(statSync(path.join(copy, 'data/users.json')).mode & 0o777).toBe(0o600);
    const restored = await new TestEngine({ home: copy }).host.auth();
    expect(await restored.users.verify('ann', ann.password)).toMatchObject({ role: 'admin' });
    expect(restored.tokens.find(secret)).toMatchObject({ name: 'ci' });
  });

  test('includes logs on request, and follows links, but not in circles', async () => {
    const { home, ended } = await makeHome();
    const outside = makeTemporaryFolder();
    writeFileSync(path.join(outside, 'linked.yaml'), 'steps: [echo c]\n');
    symlinkSync(outside, path.join(home, 'dags', 'shared'));
    symlinkSync(home, path.join(home, 'dags', 'around'));
    symlinkSync('nowhere', path.join(home, 'dags', 'broken'));
    const { file } = await backUp(home, path.join(makeTemporaryFolder(), 'b.tgz'), true);
    const copy = path.join(makeTemporaryFolder(), 'home');
    await restore(file, copy);
    expect(readFileSync(path.join(copy, 'dags', 'shared', 'linked.yaml'), 'utf8')).toContain('echo c');
    const restored = new TestEngine({ home: copy });
    const [step] = (await restored.get(ended)).steps;
    expect(readFileSync(step!.attempts[0]!.stdoutFile, 'utf8')).toBe('a\n');
    expect(step!.attempts[0]!.stdoutFile.startsWith(copy)).toBe(true);
  });

  test('overwrites nothing and leaves nothing behind when it fails', async () => {
    const { home } = await makeHome();
    const folder = makeTemporaryFolder();
    const file = path.join(folder, 'b.tar.gz');
    writeFileSync(file, 'precious');
    await expect(backUp(home, file)).rejects.toMatchObject({ code: 'already_exists' });
    await expect(backUp(path.join(folder, 'no-home'), folder)).rejects.toMatchObject({ code: 'not_found' });
    await expect(backUp(home, path.join(folder, 'no', 'b'))).rejects.toMatchObject({ code: 'not_found' });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(readdirSync(folder)).toEqual(['b.tar.gz']);
  });
});

/** A backup of a closed home, and that home. */
async function makeBackup() {
  const engine = new TestEngine({ home: path.join(makeTemporaryFolder(), 'home') });
  const run = await engine.run('name: etl\nsteps: [echo a]');
  writeFileSync(path.join(engine.home, 'dags', 'etl.yaml'), 'steps: [echo a]\n');
  const { file } = await backUp(engine.home, makeTemporaryFolder());
  await engine.host.close('stop');
  return { file, home: engine.home, run };
}

describe('restoring into a home', () => {
  test('needs --force when it is not empty, keeps the old home and its logs', async () => {
    const { file, home, run } = await makeBackup();
    writeFileSync(path.join(home, 'dags', 'later.yaml'), 'steps: [echo later]\n');
    await expect(restore(file, home)).rejects.toMatchObject({ code: 'already_exists' });
    expect(existsSync(path.join(home, 'dags', 'later.yaml'))).toBe(true);
    const { keptHome, taken } = await restore(file, home, true);
    expect(keptHome).toBe(`${home}.before-restore-20260601T000000Z`);
    expect(taken).toEqual(['logs']);
    expect(existsSync(path.join(keptHome!, 'dags', 'later.yaml'))).toBe(true);
    expect(readdirSync(path.join(home, 'dags'))).toEqual(['etl.yaml']);
    const { steps } = await new TestEngine({ home }).get(run);
    expect(readFileSync(steps[0]!.attempts[0]!.stdoutFile, 'utf8')).toBe('a\n');
  });

  test('twice within a second keeps both previous homes', async () => {
    const { file, home } = await makeBackup();
    const kept = [await restore(file, home, true), await restore(file, home, true)];
    expect(kept.map(({ keptHome }) => keptHome)).toEqual([
      `${home}.before-restore-20260601T000000Z`,
      `${home}.before-restore-20260601T000000Z-2`,
    ]);
    expect(kept.every(({ keptHome }) => existsSync(path.join(keptHome!, 'dags', 'etl.yaml')))).toBe(true);
  });

  test('is rejected while the home is in use, even with --force', async () => {
    const { file, home } = await makeBackup();
    const engine = new TestEngine({ home });
    await expect(restore(file, home, true)).rejects.toMatchObject({ code: 'still_running' });
    expect(await engine.host.api.call('runs.list', {}, testCaller)).toMatchObject({
      dagRuns: [{ name: 'etl' }],
    });
  });

  test('accepts an empty directory, and a home with a damaged database', async () => {
    const { file, home } = await makeBackup();
    const empty = makeTemporaryFolder();
    await restore(file, empty);
    expect(existsSync(path.join(empty, 'data', 'engine.db'))).toBe(true);
    writeFileSync(path.join(home, 'data', 'engine.db'), 'no database');
    const { keptHome } = await restore(file, home, true);
    expect(readFileSync(path.join(keptHome!, 'data', 'engine.db'), 'utf8')).toBe('no database');
  });
});

describe('damaged backup', () => {
  /** The archive with changed content; the text occurs once. */
  const change = (file: string, from: string, to: string): void => {
    const tar = gunzipSync(readFileSync(file));
    const at = tar.indexOf(from);
    expect(at).toBeGreaterThan(0);
    tar.write(to, at);
    writeFileSync(file, gzipSync(tar));
  };

  test.each([
    ['truncated', 'unexpected end of file', (file: string) => truncateSync(file, statSync(file).size - 300)],
    ['truncated early', 'unexpected end of file', (file: string) => truncateSync(file, 900)],
    [
      'with other content',
      'checksum of data/engine.db does not match. Nothing was changed.',
      (file: string) => change(file, 'steps: [echo a]\n', 'steps: [echo X]\n'),
    ],
    ['not an archive', 'incorrect header check', (file: string) => writeFileSync(file, 'hello')],
    ['empty', 'unexpected end of file', (file: string) => writeFileSync(file, '')],
    [
      'without its manifest',
      'Invalid tar header',
      (file: string) => change(file, 'manifest.json', 'manifest.txtt'),
    ],
    [
      'from a future version',
      'unknown manifest format. Nothing was changed.',
      (file: string) => change(file, '"format": 1', '"format": 7'),
    ],
  ])('(%s) is rejected before anything is changed: %s', async (_, reason, damage) => {
    const { file, home } = await makeBackup();
    damage(file);
    const before = readdirSync(path.dirname(home)).filter((name) => name.startsWith(path.basename(home)));
    await expect(restore(file, home, true)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(reason),
    });
    expect(existsSync(path.join(home, 'dags', 'etl.yaml'))).toBe(true);
    const after = readdirSync(path.dirname(home)).filter((name) => name.startsWith(path.basename(home)));
    expect(after).toEqual(before);
  });

  test('with a later schema is reported as such', async () => {
    const { file } = await makeBackup();
    change(file, '"schema": ', '"schema":9');
    await expect(restore(file, makeTemporaryFolder())).rejects.toMatchObject({ code: 'database_newer' });
  });

  test.each(['', '/etc/passwd', '../x', 'a/../../x', 'a//b', 'C:/x', 'a\\b', '.', 'a\0'])(
    'cannot contain the path %j',
    (name) => {
      expect(isSafePath(name)).toBe(false);
    },
  );
});
