import { describe, expect, it } from 'vitest';
import {
  readBootId,
  getCurrentProcess,
  hasOwnerEnded,
  isAlive,
  listProcesses,
  readPidStart,
} from '../../../core/process/process-table.ts';
import { parseSignal } from '../../../core/process/kill.ts';
import { findProgram, makeLaunchRig } from './launch-harness.ts';

const own = getCurrentProcess(Date.UTC(2026, 0, 1));

describe('process identity', () => {
  it('is pid and start time together', () => {
    const pidStart = readPidStart(process.pid);
    expect(isAlive({ pid: process.pid, pidStart })).toBe(true);
    expect(isAlive({ pid: process.pid, pidStart: `${pidStart}1` })).toBe(false);
    expect(isAlive({ pid: process.pid, pidStart: '' })).toBe(false);
    expect(listProcesses()).toContainEqual(expect.objectContaining({ pid: process.pid, pidStart }));
  });

  it('ends with the process', async () => {
    const launched = await makeLaunchRig().launch([findProgram('hang.sh')]);
    const { pid, pidStart } = launched;
    expect(isAlive({ pid, pidStart })).toBe(true);
    launched.kill();
    await launched.ended;
    expect(isAlive({ pid, pidStart })).toBe(false);
  });
});

describe('liveness of an owner', () => {
  it.each([
    { who: 'this process', change: {}, gone: false },
    { who: 'an earlier process with the same pid', change: { pidStart: '1' }, gone: true },
    { who: 'a process before the reboot', change: { bootId: 'another' }, gone: true },
    { who: 'a process of another machine', change: { host: 'another', pidStart: '1' }, gone: false },
    { who: 'a live pid without a start time', change: { pidStart: '' }, gone: false },
    { who: 'an unused pid without a start time', change: { pidStart: '', pid: 2 ** 30 }, gone: true },
  ])('$who: $gone', ({ change, gone }) => {
    expect(hasOwnerEnded({ ...own, ...change }, own)).toBe(gone);
  });

  it('uses a boot id that does not change while the machine is up', () => {
    expect(readBootId(0)).toBe(own.bootId);
  });
});

describe('signals', () => {
  it.each([
    ['SIGINT', 'SIGINT'],
    ['int', 'SIGINT'],
    [' Term ', 'SIGTERM'],
    ['SIGNONSENSE', undefined],
    ['', undefined],
    ['toString', undefined],
  ])('%j is %s', (text, signal) => {
    expect(parseSignal(text)).toBe(signal);
  });
});
