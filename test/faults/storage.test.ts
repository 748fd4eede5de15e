import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { begin, killAt, recover, waitFor } from './rig/kill.ts';
import { canMount, withSmallDisk } from './rig/disks.ts';
import { waiting, waitingRan, whole, wholeRan } from './workflows.ts';

async function startWaiting(home: FaultTestHome): Promise<Host> {
  home.save('waiting', waiting);
  const host = home.start(begin('waiting'));
  await waitFor('the step', () => home.has('begun'));
  return host;
}

const list = (home: FaultTestHome): string[] =>
  readdirSync(home.home, { recursive: true, encoding: 'utf8' }).toSorted((a, b) => (a < b ? -1 : 1));

describe.concurrent('a full disk', () => {
  it.skipIf(!canMount)('makes a run wait until there is space again', async () => {
    await withFaultTestHome((home) =>
      withSmallDisk(home, async (disk) => {
        const host = await startWaiting(home);
        disk.fill();
        home.releaseSteps();
        await waitFor('the message', () => host.stderr().includes('disk'));
        disk.free();
        expect(await host.ended).toMatchObject({ code: 0 });
        await checkHome(home);
        expect(home.ranBySteps()).toEqual(waitingRan);
      }),
    );
  });

  it.skipIf(!canMount)('preserves the state of a run whose host is killed meanwhile', async () => {
    await withFaultTestHome((home) =>
      withSmallDisk(home, async (disk) => {
        const host = await startWaiting(home);
        disk.fill();
        home.releaseSteps();
        await waitFor('the message', () => host.stderr().includes('disk'));
        host.kill('SIGKILL');
        await host.ended;
        disk.free();
        expect(await recover(home)).toMatchObject([{ name: 'waiting' }]);
        await checkHome(home);
        expect(home.ranBySteps()).toMatchObject({ first: 1, work: 1, '@onExit': 1 });
      }),
    );
  });

  it.skipIf(!canMount)('rejects a start, which works when there is space again', async () => {
    await withFaultTestHome((home) =>
      withSmallDisk(home, async (disk) => {
        home.save('whole', whole);
        expect(await home.run(begin('whole'))).toMatchObject({ code: 0 });
        rmSync(home.file('tried'));
        disk.fill();
        const refused = await home.run(begin('whole'));
        expect(refused).toMatchObject({ stderr: expect.stringMatching(/Free some space/) });
        expect(refused.code).not.toBe(0);
        disk.free();
        expect(await home.run(begin('whole'))).toMatchObject({ code: 0 });
        await checkHome(home);
      }),
    );
  });
});

describe.concurrent('a read-only home', () => {
  it.skipIf(!canMount)('rejects a start with a message, and is unchanged', async () => {
    await withFaultTestHome((home) =>
      withSmallDisk(home, async (disk) => {
        home.save('whole', whole);
        expect(await home.run(begin('whole'))).toMatchObject({ code: 0 });
        rmSync(home.file('tried'));
        const before = list(home);
        disk.setReadOnly(true);
        const refused = await home.run(begin('whole'));
        expect(refused).toMatchObject({ stderr: expect.stringMatching(/^engine: .*read-only/) });
        expect(refused.code).not.toBe(0);
        disk.setReadOnly(false);
        expect(list(home)).toEqual(before);
        await checkHome(home);
        expect(home.ranBySteps()).toEqual(wholeRan);
      }),
    );
  });
});

describe.concurrent('a damaged write-ahead log', () => {
  /** Damage to the write-ahead log while no host is running. */
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'with a missing end': (file) => truncateSync(file, Math.floor(statSync(file).size * 0.9)),
    'with corrupt last pages': (file) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0x5a, Math.floor(bytes.length * 0.9)));
    },
    'of zeros': (file) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
  };

  it.each(Object.entries(damages))('%s loses no finished run, and repeats no step', async (_what, damage) => {
    await withFaultTestHome(async (home) => {
      home.save('before', 'steps:\n  - { name: early, command: EFFECT }\n');
      home.save('whole', whole);
      expect(await home.run(begin('before'))).toMatchObject({ code: 0 });
      await killAt(home, 'attempt.ended@4', begin('whole'));
      await home.quiet();
      damage(`${home.database}-wal`);
      await recover(home);
      await checkHome(home, { effects: false });
      expect(await home.query("SELECT status FROM run WHERE dag = 'before'")).toEqual([
        { status: 'succeeded' },
      ]);
      expect(new Set(home.ran()).size).toBe(home.ran().length);
      expect(await home.run(begin('before'))).toMatchObject({ code: 0 });
    });
  });
});

describe.concurrent('a deleted log folder', () => {
  it('loses the logs, not the run', async () => {
    await withFaultTestHome(async (home) => {
      const host = await startWaiting(home);
      rmSync(join(home.home, 'logs'), { recursive: true });
      home.releaseSteps();
      expect(await host.ended).toMatchObject({ code: 0 });
      await checkHome(home, { logs: false });
      expect(home.ranBySteps()).toEqual(waitingRan);
      expect(existsSync(join(home.home, 'logs'))).toBe(true);
    });
  });

  it('repeats no step when the host is also killed', async () => {
    await withFaultTestHome(async (home) => {
      const host = await startWaiting(home);
      await waitFor(
        'its number',
        async () => (await home.query('SELECT 1 FROM attempt WHERE pid > 0')).length === 2,
      );
      host.kill('SIGKILL');
      await host.ended;
      rmSync(join(home.home, 'logs'), { recursive: true });
      home.releaseSteps();
      await waitFor('the step', () => home.processes().length === 0);
      expect(await recover(home)).toMatchObject([{ status: 'failed' }]);
      await checkHome(home, { logs: false });
      expect(home.ranBySteps()).toEqual({ first: 1, work: 1, '@onExit': 1 });
    });
  });
});
