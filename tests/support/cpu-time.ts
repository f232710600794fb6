/**
 * Milliseconds of processor time that this thread has used. What a rule limits is how much work there is, and that does
 * not grow when other programs want the processor too.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
