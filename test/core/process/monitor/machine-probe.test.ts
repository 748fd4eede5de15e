import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MachineProbe } from '../../../../core/process/monitor/machine-probe.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

describe('the machine', () => {
  it('is measured in percent, except for the load', async () => {
    const probe = new MachineProbe(makeTemporaryFolder());
    const { cpu, memory, disk, load } = await probe.read();
    expect(cpu).toBeNaN();
    for (const percent of [memory, disk]) {
      expect(percent).toBeGreaterThanOrEqual(0);
      expect(percent).toBeLessThan(100);
      // Storing it with fewer bits and rounding it again gives the same number.
      expect(Number(Math.fround(percent).toFixed(2))).toBe(percent);
    }
    if (process.platform === 'win32') expect(load).toBeNaN();
    else expect(load).toBeGreaterThanOrEqual(0);
  });

  it('has its size', async () => {
    const probe = new MachineProbe(makeTemporaryFolder());
    expect(probe.size).toEqual({ cores: cpus().length, memory: totalmem() });
    await probe.read();
    expect(probe.size.disk).toBeGreaterThan(1e6);
  });

  it('is measured without its disk when the home is missing', async () => {
    const probe = new MachineProbe(path.join(makeTemporaryFolder(), 'gone'));
    const { memory, disk } = await probe.read();
    expect(disk).toBeNaN();
    expect(memory).toBeGreaterThan(0);
  });

  if (process.platform !== 'win32')
    it('has the same disk size as df', async () => {
      const home = makeTemporaryFolder();
      const { disk } = await new MachineProbe(home).read();
      const used = /(\d+)%/.exec(execFileSync('df', ['-P', home], { encoding: 'utf8' }).split('\n')[1]!);
      // df rounds up.
      expect(Math.abs(disk - Number(used![1]))).toBeLessThanOrEqual(1.5);
    });
});
