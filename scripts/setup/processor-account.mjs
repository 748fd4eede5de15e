import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** Control group hierarchies that account for processor time: version 1, then version 2. */
const HIERARCHIES = [
  { line: /^\d+:cpuacct:(.*)$/m, root: '/sys/fs/cgroup/cpuacct', file: 'cpuacct.usage', scale: 1e9 },
  { line: /^0::(.*)$/m, root: '/sys/fs/cgroup', file: 'cpu.stat', scale: 1e6 },
];

/**
 * Moves this process into a new control group, which accounts for the processor time of the process and its descendants.
 * The child times in /proc/PID/stat lack nearly half: processes that are killed with their parent, such as browsers.
 * @returns {(() => number) | undefined} returns the seconds and removes the group; undefined without the necessary
 *   rights, and on systems other than Linux
 */
export function trackProcessorTime() {
  for (const { line, root, file, scale } of HIERARCHIES) {
    try {
      const cgroup = line.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
      const parent = join(root, cgroup ?? '');
      if (cgroup === undefined || !existsSync(join(parent, 'cgroup.procs'))) continue;
      const group = join(parent, `stepwright-tests-${process.pid}`);
      mkdirSync(group);
      writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
      return () => {
        const seconds = Number(/\d+/.exec(readFileSync(join(group, file), 'utf8'))?.[0]) / scale;
        close(parent, group);
        return seconds;
      };
    } catch {
      // Not writable for this process.
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
    // A process that outlived its test is still in the group.
  }
}

/** Reads the processor seconds of the whole machine since it started. */
export const readMachineSeconds = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
