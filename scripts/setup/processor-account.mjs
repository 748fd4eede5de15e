import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** Where Linux accounts for processor time: a controller of its own, or the one hierarchy of newer systems. */
const HIERARCHIES = [
  { line: /^\d+:cpuacct:(.*)$/m, root: '/sys/fs/cgroup/cpuacct', file: 'cpuacct.usage', scale: 1e9 },
  { line: /^0::(.*)$/m, root: '/sys/fs/cgroup', file: 'cpu.stat', scale: 1e6 },
];

/**
 * Accounts for the processor time of this process and of all that it starts from now on, in a control group. The times
 * that a process has of its children leave out nearly half, namely what is killed with its parent, such as browsers.
 * @returns {(() => number) | undefined} gives the seconds so far and ends the account; undefined where it takes rights
 *   that this process lacks, and on other systems than Linux
 */
export function openProcessorAccount() {
  for (const { line, root, file, scale } of HIERARCHIES) {
    try {
      const own = line.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
      const parent = join(root, own ?? '');
      if (own === undefined || !existsSync(join(parent, 'cgroup.procs'))) continue;
      const group = join(parent, `stepwright-tests-${process.pid}`);
      mkdirSync(group);
      writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
      return () => {
        const seconds = Number(/\d+/.exec(readFileSync(join(group, file), 'utf8'))?.[0]) / scale;
        close(parent, group);
        return seconds;
      };
    } catch {
      // It may not be written to.
    }
  }
  return undefined;
}

/**
 * @param {string} parent
 * @param {string} group
 */
function close(parent, group) {
  try {
    writeFileSync(join(parent, 'cgroup.procs'), String(process.pid));
    rmdirSync(group);
  } catch {
    // A process that has outlived its test is in it.
  }
}

/** Processor seconds of everything that has run on this machine. */
export const readMachineSeconds = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
