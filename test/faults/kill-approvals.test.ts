import { describe, expect, it } from 'vitest';
import { approvalPoints, answeredPoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, withFaultTestHome } from './rig/fault-home.ts';
import { begin, killAt, recover, waitFor } from './rig/kill.ts';

/** Exit code of `engine approve` if no approval is pending. */
const notFound = 3;

const asking = `
steps:
  - name: ask
    type: approval
    config: { question: Go? }
    output: ANSWER
  - { name: a, command: EFFECT }
`;

/** Approves the only approval of the run, as soon as it is pending. */
async function approve(home: FaultTestHome): Promise<void> {
  for (;;) {
    const { code } = await home.run(['approve', 'asking']);
    if (code === 0) return;
    expect(code).toBe(notFound);
  }
}

/** The run has succeeded, it asked once, and everything ran once. */
async function expectDone(home: FaultTestHome): Promise<void> {
  const statusOf = async () => (await home.query<{ status: string }>('SELECT status FROM run'))[0]?.status;
  await waitFor('the end', async () => (await statusOf()) !== 'running');
  expect(await statusOf()).toBe('succeeded');
  expect(await home.query('SELECT attempt, decision FROM approval')).toEqual([
    { attempt: 1, decision: 'approved' },
  ]);
  await checkHome(home);
  expect(home.ranBySteps()).toEqual({ a: 1 });
}

describe.concurrent('the host of a run with an approval, killed at a fault point', () => {
  it.each(approvalPoints)('%s: the next host asks once, and continues after the response', async (point) => {
    await withFaultTestHome(async (home) => {
      home.save('asking', asking);
      await killAt(home, point, begin('asking'));
      const next = home.start(['recover', '--format', 'json']);
      await approve(home);
      await expectDone(home);
      expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
    });
  });

  it.each(answeredPoints)('%s: an earlier response still counts', async (point) => {
    await withFaultTestHome(async (home) => {
      home.save('asking', asking);
      const host = home.start(begin('asking'), { ENGINE_FAILPOINT: `${point}:kill` });
      await approve(home);
      expect(await host.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
      await expectDone(home);
    });
  });
});
