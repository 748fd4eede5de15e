import { describe, expect, it } from 'vitest';
import { measureTrees } from '../../../../core/process/monitor/proc-trees.ts';

type Members = Parameters<typeof measureTrees>[0];

/** pid, parent and CPU time of processes of one attempt. */
function members(...rows: readonly (readonly [pid: number, parent: number, cpuMs: number])[]): Members {
  return new Map(
    rows.map(([pid, parent, cpuMs]) => [
      pid,
      { pid, pidStart: 's', parent, session: 1, cpuMs, memory: 10, isZombie: false, attemptDir: '/a' },
    ]),
  );
}

const cpuOf = (now: Members, before: Members) => measureTrees(now, before).get('/a')?.cpuMs;

describe('CPU time of a tree since the last reading', () => {
  it('is the total when the tree is new', () => {
    expect(cpuOf(members([1, 0, 30], [2, 1, 5]), members())).toBe(35);
  });

  it('is the difference while all are alive', () => {
    expect(cpuOf(members([1, 0, 30], [2, 1, 50]), members([1, 0, 20], [2, 1, 10]))).toBe(50);
  });

  it('includes what a child used before its parent waited for it, once', () => {
    // The child had 100, used 7 more and ended; the parent has 107 more now, and 1 of its own.
    expect(cpuOf(members([1, 0, 128]), members([1, 0, 20], [2, 1, 100]))).toBe(8);
  });

  it('includes it across several levels', () => {
    const before = members([1, 0, 20], [2, 1, 100], [3, 2, 1000]);
    expect(cpuOf(members([1, 0, 1125]), before)).toBe(5);
  });

  it('excludes processes that ended without a wait', () => {
    expect(cpuOf(members([2, 9, 15]), members([1, 0, 500], [2, 1, 10]))).toBe(5);
  });

  it('is never negative', () => {
    expect(cpuOf(members([1, 0, 20]), members([1, 0, 20], [2, 1, 100]))).toBe(0);
  });

  it('detects a new process with a reused pid', () => {
    const before = members([7, 1, 900]);
    const now = members([1, 0, 0], [7, 1, 3]);
    now.forEach((member) => Object.assign(member, { pidStart: 'later' }));
    expect(cpuOf(now, before)).toBe(3);
  });

  it('terminates on cyclic parents', () => {
    expect(cpuOf(members([5, 0, 1]), members([2, 3, 9], [3, 2, 9]))).toBe(1);
  });

  it('counts a zombie neither as process nor as memory', () => {
    const now = members([1, 0, 20], [2, 1, 30]);
    Object.assign(now.get(2)!, { isZombie: true, memory: 0 });
    expect(measureTrees(now, members()).get('/a')).toEqual({ cpuMs: 50, memory: 10, processes: 1 });
  });
});
