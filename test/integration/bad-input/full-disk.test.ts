import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  fileAppears,
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
  waitForGoFile,
  type TestHome,
} from '../../harness/home-and-command.ts';
import { program, killStepProcessesAtEnd } from './step-processes.ts';

const diskBytes = 8 * 1024 * 1024;
const waits = /Runs are waiting until events can be written .*disk is full.*Free some space/;

const mountDisk = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', folder]).status === 0;

const unmountDisk = (folder: string): void => void spawnSync('umount', ['-l', folder]);

/** Whether this user can mount a small disk, determined by trying. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-mount-'));
  const mounted = mountDisk(folder);
  if (mounted) unmountDisk(folder);
  rmdirSync(folder);
  return mounted;
}

/** A workspace whose home is a disk of 8 MiB. */
function makeSmallTestHome(): TestHome {
  const place = makeTestHome();
  expect(mountDisk(place.home)).toBe(true);
  onTestFinished(() => unmountDisk(place.home));
  mkdirSync(join(place.home, 'dags'));
  return place;
}

/** Fills the home's disk. Returns a function that frees the space. */
function fillDisk({ home }: TestHome): () => void {
  const file = join(home, 'filler');
  const handle = openSync(file, 'w');
  try {
    for (const chunk = Buffer.alloc(4096); ;) writeSync(handle, chunk);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(handle);
  }
  return () => rmSync(file);
}

// Registered only where a small disk can be mounted, so that no test is skipped elsewhere.
if (canMount()) {
  it('a step that fills the disk fails; the run shows what it waits for and finishes when there is space', async () => {
    const place = makeSmallTestHome();
    saveDag(
      place,
      'flood',
      `steps:\n  - echo before\n  - name: flood\n    command: ${program(`spew.sh ${8 * diskBytes}`)}\n  - name: after\n    command: echo never\nhandlerOn:\n  failure: echo sorry\n`,
    );
    const run = startEngine(place, ['start', 'flood', '--format', 'json']);
    await waitForText(run.stderr, waits);
    const during = await runForJson(place, ['status', 'flood']);
    expect(during).toMatchObject({ code: 0, json: { status: 'running', finishedAt: null } });
    const [, flood] = during.json.steps;
    expect(statSync(flood!.stdoutFile!).size).toBeGreaterThan(diskBytes / 2);
    expect(run.child.exitCode).toBe(null);

    rmSync(flood!.stdoutFile!);
    const { code, stdout } = await run.ended;
    const ended = {
      status: 'failed',
      steps: [
        { status: 'succeeded', exitCode: 0 },
        { name: 'flood', status: 'failed', exitCode: 1, attempts: 1 },
        { name: 'after', status: 'aborted', attempts: 0 },
      ],
      handlers: [{ name: 'onFailure', status: 'succeeded' }],
    };
    expect(JSON.parse(stdout)).toMatchObject(ended);
    expect(code).toBe(1);
    expect((await runForJson(place, ['status', 'flood'])).json).toMatchObject(ended);
    expect((await runEngine(place, ['logs', 'flood'])).stdout).toMatch(
      /^cmd_1 +\| before\n(.*\n)?onFailure +\| sorry\n$/,
    );
  });

  it('a run on a disk that fills up between two steps continues when there is space, and loses nothing', async () => {
    const place = makeSmallTestHome();
    killStepProcessesAtEnd(place);
    saveDag(
      place,
      'patient',
      `workingDir: ${place.cwd}\nsteps:\n  - name: wait\n    command: echo one; ${waitForGoFile}\n  - name: after\n    command: echo two\n`,
    );
    const run = startEngine(place, ['start', 'patient', '--format', 'json']);
    await fileAppears(join(place.cwd, 'begun'));
    const makeRoom = fillDisk(place);
    writeFileSync(join(place.cwd, 'go'), '');
    await waitForText(run.stderr, waits);
    expect((await runForJson(place, ['status', 'patient'])).json.steps).toMatchObject([
      { name: 'wait', status: 'running' },
      { name: 'after', status: 'not_started' },
    ]);
    expect(await runEngine(place, ['stop', 'patient'])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/database or disk is full.*[Ff]ree some space/s),
    });
    makeRoom();
    expect((await run.ended).code).toBe(0);
    const { json } = await runForJson(place, ['status', 'patient']);
    expect(json).toMatchObject({
      status: 'succeeded',
      steps: [
        { name: 'wait', status: 'succeeded', attempts: 1 },
        { name: 'after', status: 'succeeded', attempts: 1 },
      ],
    });
    expect((await runEngine(place, ['logs', 'patient'])).stdout).toBe('wait | one\nafter | two\n');
  });

  it('a start on a full disk is rejected and creates no run', async () => {
    const place = makeSmallTestHome();
    saveDag(place, 'fine', 'steps:\n  - echo ok\n');
    expect((await runEngine(place, ['start', 'fine', '-q'])).code).toBe(0);
    const makeRoom = fillDisk(place);
    const refused = await runForJson(place, ['start', 'fine']);
    expect(refused).toMatchObject({
      code: 5,
      json: { error: { code: 'storage_full', message: expect.stringMatching(/[Ff]ree some space/) } },
    });
    makeRoom();
    expect((await runForJson(place, ['history'])).json.dagRuns).toMatchObject([
      { name: 'fine', status: 'succeeded' },
    ]);
    expect((await runEngine(place, ['start', 'fine', '-q'])).code).toBe(0);
  });
}
