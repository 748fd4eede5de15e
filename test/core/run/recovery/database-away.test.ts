import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { RunRecovery } from '../../../../core/run/recovery/run-recovery.ts';
import { SqliteDatabase } from '../../../../core/store/database/sqlite-database.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { until } from '../../../harness/resources.ts';
import { makeDatabasePath } from '../../store/store-harness.ts';
import { RecoveryScenario, waitFor } from '../run-harness.ts';

/** Only what polling for hosts needs: nothing is recovered here. */
function openLooker() {
  const store = openStore({ file: makeDatabasePath() });
  const clock = new FakeClock();
  const warnings: string[] = [];
  const logger = { info() {}, error() {}, warn: (message: string) => void warnings.push(message) };
  const parts = { store, clock, logger, watch: { keepOnly() {}, findExpiry: () => undefined } };
  onTestFinished(() => store.close());
  return { store, clock, warnings, recoveries: new RunRecovery(parts as never) };
}

/** Lets an asynchronous poll finish. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('polls for hosts again after a database outage', async () => {
  const { store, clock, warnings, recoveries } = openLooker();
  const looks = vi.spyOn(store, 'listDrivingHosts').mockImplementation(() => {
    throw new AppError('unavailable', 'the server has ended the connection');
  });
  const stop = recoveries.startPolling(5000);
  await settle();
  expect(warnings).toEqual(['Cannot search for lost runs']);
  looks.mockRestore();
  const later = vi.spyOn(store, 'listDrivingHosts');
  clock.advance(5000);
  await settle();
  expect(later).toHaveBeenCalledTimes(1);
  expect(warnings).toHaveLength(1);
  stop();
});

test('a recovered run continues once the database is up again after an outage', async () => {
  const relay = new RecoveryScenario();
  await relay.start(`steps: [{ name: a, command: "${waitFor('a')}" }, { name: b, command: "true" }]`);
  await relay.waitForStart('a');
  await relay.onLeaseLost();
  const reads = vi.spyOn(SqliteDatabase.prototype, 'read').mockImplementation(() => {
    throw new AppError('unavailable', 'the server has ended the connection');
  });
  const taken = relay.recoverRuns();
  const { reports } = relay.engine;
  await until(() => reports.includes('A run that was taken over is waiting for the database'));
  reads.mockRestore();
  relay.clock.advance(1000);
  expect(await taken).toHaveLength(1);
  relay.go('a');
  expect(await relay.end()).toMatchObject({ status: 'succeeded' });
});

test('a run continues when the responses to its commits are lost, and nothing is written twice', async () => {
  const relay = new RecoveryScenario();
  await relay.start(`steps: [{ name: a, command: "${waitFor('a')}" }, { name: b, command: "true" }]`);
  await relay.waitForStart('a');
  const { write } = SqliteDatabase.prototype;
  let lost = 0;
  const writes = vi.spyOn(SqliteDatabase.prototype, 'write').mockImplementation(function (
    this: SqliteDatabase,
    operation,
  ) {
    const value = write.call(this, operation);
    lost += 1;
    if (lost <= 3) throw new AppError('unavailable', 'the server has ended the connection');
    return value;
  });
  relay.go('a');
  expect(await relay.end()).toMatchObject({ status: 'succeeded', recoveries: [] });
  writes.mockRestore();
  expect(lost).toBeGreaterThan(3);
  expect(relay.engine.reports).toContain('Runs are waiting until events can be written');
  expect(await relay.eventsOf('step.finished')).toHaveLength(2);
});
