import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { SqliteDatabase } from '../../../../core/store/database/sqlite-database.ts';
import { TestEngine, stderrOf } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import {
  answer,
  approved,
  approvalSpec,
  rejected,
  releaseOf,
  waitForApproval,
  RecoveryScenario,
} from '../run-harness.ts';

describe('an approval whose host is lost', () => {
  test('is requested once, and its answer reaches the next host', async () => {
    const relay = new RecoveryScenario();
    await relay.start(approvalSpec());
    const asked = await waitForApproval(relay.engine, relay.run);
    await relay.onLeaseLost();
    await relay.recoverRuns();
    expect(await waitForApproval(relay.engine, relay.run)).toEqual(asked);
    await answer(relay.engine, asked, approved);
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'succeeded', outputs: { TOLD: 'true ann T-1 []' } });
    expect(releaseOf(view).attempts).toHaveLength(1);
    expect(await relay.eventsOf('step.approval_requested')).toHaveLength(1);
    expect(stderrOf(view, 'release').match(/Release 1\.4\?/g)).toHaveLength(1);
  });

  test.each([
    [approved, 'succeeded'],
    [rejected, 'failed'],
  ] as const)('accepts an answer while no host is alive: %j', async (given, status) => {
    const relay = new RecoveryScenario();
    await relay.start(approvalSpec('retryPolicy: { limit: 3, intervalSec: 0 }'));
    const asked = await waitForApproval(relay.engine, relay.run);
    await relay.onLeaseLost();
    await answer(new TestEngine({ home: relay.engine.home, clock: relay.clock }), asked, given);
    await relay.recoverRuns();
    expect(await relay.end()).toMatchObject({ status });
    expect(await relay.eventsOf('step.approval_requested')).toHaveLength(1);
  });

  test('keeps its timeout', async () => {
    const relay = new RecoveryScenario();
    await relay.start(approvalSpec('timeoutSec: 3600'));
    await waitForApproval(relay.engine, relay.run);
    await relay.onLeaseLost();
    relay.clock.advance(3_000_000);
    await relay.recoverRuns();
    relay.clock.advance(600_000);
    expect(releaseOf(await relay.end()).error).toBe('step timed out after 3600 s');
  });

  test('is processed although the database was down when the answer was due', async () => {
    const relay = new RecoveryScenario();
    await relay.start(approvalSpec());
    const asked = await waitForApproval(relay.engine, relay.run);
    const { get } = SqliteDatabase.prototype;
    let errors = 0;
    const reads = vi.spyOn(SqliteDatabase.prototype, 'get').mockImplementation(function (
      this: SqliteDatabase,
      sql,
      ...values
    ) {
      if (sql.includes('approval.section = ?') && errors === 0) {
        errors += 1;
        throw new AppError('unavailable', 'the server has ended the connection');
      }
      return get.call(this, sql, ...values);
    });
    await answer(relay.engine, asked, approved);
    await until(() => errors === 1);
    relay.clock.advance(15_000);
    const view = await relay.end();
    reads.mockRestore();
    expect(errors).toBe(1);
    expect(view.status).toBe('succeeded');
  });
});
