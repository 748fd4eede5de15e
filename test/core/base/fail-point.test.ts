import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { failPoint, watchFailPoints } from '../../../core/base/fail-point.ts';
import { failPoints } from '../../../core/base/fail-points.ts';
import { overrideTimings, timings } from '../../../core/base/timings.ts';
import { armFailPoints } from '../../../core/process/arm-fail-points.ts';

afterEach(() => {
  watchFailPoints(undefined);
  overrideTimings({});
  vi.restoreAllMocks();
});

test('every named fail point exists in the code', () => {
  const root = path.join(import.meta.dirname, '../../../core');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
  const unmarked = Object.keys(failPoints).filter((name) => !sources.includes(`failPoint('${name}')`));
  expect(unmarked).toEqual([]);
  expect(Object.keys(failPoints).length).toBeGreaterThan(25);
});

test('a fail point does nothing unless armed, then acts at the requested hit', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  failPoint('run.created');
  armFailPoints({ ENGINE_FAILPOINT: 'run.created@2:kill, commit.after:stop' });
  failPoint('run.created');
  expect(kill).not.toHaveBeenCalled();
  failPoint('run.created');
  failPoint('run.created');
  failPoint('commit.after');
  expect(kill.mock.calls).toEqual([
    [process.pid, 'SIGKILL'],
    [process.pid, 'SIGSTOP'],
  ]);
});

test.each(['nothing:kill', 'run.created', 'run.created:explode', 'run.created@0:kill', ' '])(
  'rejects %j, which would test nothing',
  (text) =>
    expect(() => armFailPoints({ ENGINE_FAILPOINT: text })).toThrow(
      /is not NAME:kill, NAME:stop or NAME:block/,
    ),
);

test.each([{}, { ENGINE_FAILPOINT: '' }])(
  'uses normal timings when no fail points are armed: %j',
  (environment) => {
    armFailPoints({ ...environment, ENGINE_TEST_TIMINGS: 'hostLease=1' });
    expect(timings.hostLease).toBe(30_000);
  },
);

test.each(['none', 'run.created:kill'])('shortens timings when fail points are armed: %s', (options) => {
  armFailPoints({ ENGINE_FAILPOINT: options, ENGINE_TEST_TIMINGS: 'hostLease=200, hostBeat=50' });
  expect(timings).toMatchObject({ hostLease: 200, hostBeat: 50, databaseLock: 5000 });
  armFailPoints({ ENGINE_FAILPOINT: options });
  expect(timings).toMatchObject({ hostLease: 30_000, hostBeat: 5000 });
});

test.each(['lease=1', 'hostLease', 'hostLease=0', 'hostLease=1s'])('rejects the timing %j', (text) =>
  expect(() => armFailPoints({ ENGINE_FAILPOINT: 'none', ENGINE_TEST_TIMINGS: text })).toThrow(
    /is not NAME=MILLISECONDS/,
  ),
);
