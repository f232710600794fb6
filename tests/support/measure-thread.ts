/**
 * Milliseconds of processor time that this thread has used. A rule limits the amount of work, which does not grow when
 * other programs want the processor too.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
