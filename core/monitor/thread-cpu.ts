/**
 * Returns the CPU time of this thread in milliseconds. Unlike elapsed time, it does not include waiting on a busy
 * machine.
 */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
