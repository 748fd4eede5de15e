import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  engineArguments,
  engineEnvironment,
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  type EngineOutcome,
  type TestHome,
} from '../../harness/home-and-command.ts';

const databaseOf = ({ home }: TestHome): string => join(home, 'data', 'engine.db');

/** A home with a workflow `fine` and the history of one run of it. */
async function makeUsedTestHome(): Promise<TestHome> {
  const place = makeTestHome();
  saveDag(place, 'fine', 'steps:\n  - echo ok\n');
  expect((await runEngine(place, ['start', 'fine', '-q'])).code).toBe(0);
  return place;
}

/** Offset of `user_version`, four bytes, big-endian (https://www.sqlite.org/fileformat2.html 1.3). */
const userVersionOffset = 60;

/** Ways to corrupt a database. */
const spoilt: readonly [string, (bytes: Buffer) => Buffer, string, RegExp][] = [
  ['is not a database', () => Buffer.from('not a database\n'), 'database_corrupt', /damaged.*backup/],
  ['is truncated', (bytes) => bytes.subarray(0, bytes.length / 2), 'database_corrupt', /damaged.*backup/],
  [
    'has a corrupt header',
    (bytes) => Buffer.concat([Buffer.alloc(64, 0xff), bytes.subarray(64)]),
    'database_corrupt',
    /damaged.*backup/,
  ],
  [
    'is corrupt after its first page',
    (bytes) => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0x5a)]),
    'database_corrupt',
    /damaged.*backup/,
  ],
  [
    'was written by a newer release',
    (bytes) => {
      const newer = Buffer.from(bytes);
      newer.writeUInt32BE(999, userVersionOffset);
      return newer;
    },
    'database_newer',
    /written by a newer release \(schema 999, .*another home/,
  ],
];

describe.each(spoilt)('a database that %s', (_what, spoil, code, message) => {
  it('is rejected by every command with a message and left unchanged, byte for byte', async () => {
    const place = await makeUsedTestHome();
    const file = databaseOf(place);
    const bytes = spoil(readFileSync(file));
    writeFileSync(file, bytes);
    const logs = readdirSync(join(place.home, 'logs'), { recursive: true });
    const [start, history, status] = await Promise.all([
      runEngine(place, ['start', 'fine']),
      runEngine(place, ['history']),
      runForJson(place, ['status', 'fine']),
    ]);
    for (const outcome of [start, history]) {
      expect(outcome).toMatchObject({ code: 5, stdout: '', stderr: expect.stringMatching(message) });
      expect(outcome.stderr).toContain(file);
    }
    expect(status).toMatchObject({
      code: 5,
      json: { error: { code, message: expect.stringContaining(file) } },
    });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(join(place.home, 'logs'), { recursive: true })).toEqual(logs);
  });
});

it('validate works with a damaged database', async () => {
  const place = makeTestHome({ isNew: true });
  saveDag(place, 'fine', 'steps:\n  - echo ok\n');
  mkdirSync(join(place.home, 'data'));
  writeFileSync(databaseOf(place), 'not a database\n');
  expect((await runEngine(place, ['validate', 'fine'])).code).toBe(0);
});

it('a home that is a file is rejected and unchanged', async () => {
  const place = makeTestHome();
  const file = join(place.cwd, 'home');
  writeFileSync(file, 'mine\n');
  writeFileSync(join(place.cwd, 'fine.yaml'), 'steps:\n  - echo ok\n');
  for (const words of [['start', 'fine.yaml'], ['history'], ['server', '--port', '0']]) {
    const outcome = await runEngine(place, [...words, '--engine-home', file]);
    expect(outcome).toMatchObject({ code: 5, stdout: '' });
    expect(outcome.stderr).toMatch(
      /^engine: Cannot use the home \S+\/home: another file or folder already exists there;/,
    );
  }
  expect(readFileSync(file, 'utf8')).toBe('mine\n');
});

/**
 * Command prefix that makes permissions effective: none for ordinary users; root drops the capability to
 * bypass them.
 */
const bindByPermissions = process.geteuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : [];
const permissionsBind =
  process.platform !== 'win32' &&
  (bindByPermissions.length === 0 ||
    spawnSync('setpriv', [...bindByPermissions.slice(1), 'true']).status === 0);

/** Runs the built command as a user restricted by permissions. */
function runBound(place: TestHome, words: readonly string[]): Promise<EngineOutcome> {
  const [program = '', ...rest] = [...bindByPermissions, process.execPath, ...engineArguments(words)];
  const child = spawn(program, rest, {
    cwd: place.cwd,
    env: engineEnvironment(place),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Makes the home's folders and files read-only until the test ends. */
function makeReadOnly({ home }: TestHome): void {
  const below = readdirSync(home, { recursive: true, withFileTypes: true });
  const folders = [home, ...below.filter((entry) => entry.isDirectory()).map(pathOf)];
  for (const entry of below.filter((each) => each.isFile())) chmodSync(pathOf(entry), 0o400);
  for (const folder of folders) chmodSync(folder, 0o500);
  onTestFinished(() => {
    for (const folder of folders) chmodSync(folder, 0o700);
  });
}

const pathOf = (entry: { parentPath: string; name: string }): string => join(entry.parentPath, entry.name);

// Registered only where permissions can restrict the test user, so that no test is skipped.
if (permissionsBind) {
  it('a read-only home is rejected and unchanged', async () => {
    const place = await makeUsedTestHome();
    const bytes = readFileSync(databaseOf(place));
    makeReadOnly(place);
    for (const words of [['start', 'fine'], ['history']]) {
      const outcome = await runBound(place, words);
      expect(outcome).toMatchObject({ code: 5, stdout: '' });
      expect(outcome.stderr).toMatch(/^engine: .*(may not|permission|read and write)/);
      expect(outcome.stderr).toContain(place.home);
    }
    expect(readFileSync(databaseOf(place)).equals(bytes)).toBe(true);
    expect(readdirSync(join(place.home, 'data'))).toEqual(['engine.db']);
  });

  it('a new home that cannot be created is rejected', async () => {
    const place = makeTestHome();
    makeReadOnly(place);
    const outcome = await runBound(place, ['history', '--engine-home', join(place.home, 'new')]);
    expect(outcome).toMatchObject({ code: 5, stdout: '' });
    expect(outcome.stderr).toMatch(/^engine: Cannot use the home \S+\/home\/new: permission denied;/);
  });
}
