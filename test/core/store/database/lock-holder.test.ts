import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { overrideTimings } from '../../../../core/base/timings.ts';
import { hasProcessTable } from '../../../../core/process/process-table.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { describeRun, makeDatabasePath, thrownBy } from '../store-harness.ts';

const program = fileURLToPath(new URL('../../../programs/lock-holder.ts', import.meta.url));

/** A store, and a process that holds the write lock. */
async function lockedStore(...kind: string[]) {
  const file = makeDatabasePath();
  const store = openStore({ file });
  const child = spawn(process.execPath, [program, file, ...kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    store.close();
  });
  await once(child.stdout, 'data');
  return { store, child, ended, file, create: () => store.createRun(describeRun(), 1) };
}

beforeAll(() => overrideTimings({ databaseLock: 200 }));
afterAll(() => overrideTimings({}));

describe('a database locked by another process', () => {
  it('is temporarily unavailable for writes, stays readable, and is written again once unlocked', async () => {
    const { store, child, ended, file, create } = await lockedStore();
    const error = await thrownBy(create);
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain(`locked the database ${file} for too long`);
    if (hasProcessTable)
      expect(error.message).toMatch(
        new RegExp(`^Process ${child.pid} locked .* Try again, or end that process\\.$`),
      );
    expect(error.message).not.toContain('suspended');
    expect(await store.listRuns({ limit: 10 })).toEqual([]);
    expect((await thrownBy(create)).code).toBe('unavailable');
    child.stdin.end();
    await ended;
    expect(await create()).toMatchObject({ status: 'not_started' });
  });

  if (hasProcessTable) {
    it('reports the host that holds the lock, and what to do if it is suspended', async () => {
      const { child, create } = await lockedStore('server');
      child.kill('SIGSTOP');
      const { code, message } = await thrownBy(create);
      expect(code).toBe('unavailable');
      expect(message).toMatch(
        new RegExp(
          `^Process ${child.pid} \\(engine server\\) locked .* The process is suspended: .*kill -CONT ${child.pid}`,
        ),
      );
      child.kill('SIGCONT');
    });
  }
});
