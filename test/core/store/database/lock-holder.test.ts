import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { shortenTimings } from '../../../../core/base/timings.ts';
import { hasProcessTable } from '../../../../core/process/living/process-table.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { describeRun, makeDatabasePath, refusalOf } from '../store-rig.ts';

const program = fileURLToPath(new URL('../../../programs/lock-holder.ts', import.meta.url));

/** A store, and a process that keeps everybody from writing to it. */
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

beforeAll(() => shortenTimings({ databaseLock: 200 }));
afterAll(() => shortenTimings({}));

describe('a database that another process has locked', () => {
  it('is refused for now, is read on, and is written again as soon as it may be', async () => {
    const { store, child, ended, file, create } = await lockedStore();
    const refusal = refusalOf(create);
    expect(refusal.code).toBe('unavailable');
    expect(refusal.message).toContain(`kept the database ${file} locked for too long`);
    if (hasProcessTable)
      expect(refusal.message).toMatch(
        new RegExp(`^Process ${child.pid} kept .* Try again, or end that process\\.$`),
      );
    expect(refusal.message).not.toContain('halted');
    expect(store.listRuns({ limit: 10 })).toEqual([]);
    expect(refusalOf(create).code).toBe('unavailable');
    child.stdin.end();
    await ended;
    expect(create()).toMatchObject({ status: 'not_started' });
  });

  if (hasProcessTable) {
    it('is refused with the host that holds it, and what to do when that is halted', async () => {
      const { child, create } = await lockedStore('server');
      child.kill('SIGSTOP');
      const { code, message } = refusalOf(create);
      expect(code).toBe('unavailable');
      expect(message).toMatch(
        new RegExp(
          `^Process ${child.pid} \\(engine server\\) kept .* It is halted: .*kill -CONT ${child.pid}`,
        ),
      );
      child.kill('SIGCONT');
    });
  }
});
