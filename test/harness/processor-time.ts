/**
 * The processor time that `work` takes, in milliseconds. Unlike the clock, it stands still while other programs run.
 */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
