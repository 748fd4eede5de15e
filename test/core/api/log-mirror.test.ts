import { expect, test } from 'vitest';
import { LogMirror } from '../../../core/api/log-mirror.ts';
import type { Logger } from '../../../core/base/logger.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { until } from '../../harness/resources.ts';

/** A mirror over a bucket that counts fetches. */
function openMirror({ isAway = true } = {}) {
  const clock = new FakeClock();
  const brought: string[] = [];
  const warnings: string[] = [];
  const state = { isBroken: false };
  const logger: Logger = { info() {}, warn: (message) => void warnings.push(message), error() {} };
  const mirrorLogs = async (folder: string): Promise<void> => {
    brought.push(folder);
    if (state.isBroken) throw new Error('the bucket is away');
  };
  const mirror = new LogMirror(clock, logger, async () => ({ mirrorLogs }), isAway);
  return { mirror, clock, brought, warnings, state };
}

const log = { file: '/logs/etl/1/load.1/stdout.log', isRemote: true, complete: false };
const folder = '/logs/etl/1/load.1';

test('fetches a growing log at most once per interval, and an ended log once', async () => {
  const { mirror, clock, brought } = openMirror();
  await Promise.all([mirror.refresh(log), mirror.refresh({ ...log, file: `${folder}/stderr.log` })]);
  expect(brought).toEqual([folder]);
  clock.advance(600);
  await mirror.refresh(log);
  expect(brought).toHaveLength(2);
  // What was seen a moment ago was not its end.
  await mirror.refresh({ ...log, complete: true });
  expect(brought).toHaveLength(3);
  clock.advance(60_000);
  await mirror.refresh({ ...log, complete: true });
  expect(brought).toHaveLength(3);
});

test('does not fetch logs that this machine writes or that are in directories', async () => {
  const { mirror, brought } = openMirror();
  await mirror.refresh({ ...log, isRemote: false });
  const near = openMirror({ isAway: false });
  await near.mirror.refresh(log);
  const watch = near.mirror.watch(log.file, { isRemote: () => true, isComplete: () => true });
  expect(watch.isComplete()).toBe(true);
  expect([...brought, ...near.brought]).toEqual([]);
});

test('a followed log is complete when its end has arrived', async () => {
  const { mirror, clock, brought } = openMirror();
  let [isRemote, hasEnded] = [false, false];
  const watch = mirror.watch(log.file, { isRemote: () => isRemote, isComplete: () => hasEnded });
  clock.advance(5000);
  expect(brought).toEqual([]);
  isRemote = true;
  clock.advance(600);
  await until(() => brought.length === 1);
  clock.advance(600);
  await until(() => brought.length === 2);
  hasEnded = true;
  expect(watch.isComplete()).toBe(false);
  clock.advance(600);
  await until(() => watch.isComplete());
  watch.stop();
  expect(brought).toHaveLength(3);
});

test('reports an unavailable bucket once and still reads local data', async () => {
  const { mirror, clock, brought, warnings, state } = openMirror();
  state.isBroken = true;
  await mirror.refresh({ ...log, complete: true });
  clock.advance(600);
  await mirror.refresh({ ...log, complete: true });
  expect(warnings).toHaveLength(1);
  state.isBroken = false;
  clock.advance(600);
  await mirror.refresh({ ...log, complete: true });
  expect(brought).toHaveLength(3);
});
