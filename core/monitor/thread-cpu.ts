/**
 * CPU time that this thread has used, milliseconds. What work costs is told by this, not by how long it took: on a
 * busy machine most of that is waiting.
 */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
