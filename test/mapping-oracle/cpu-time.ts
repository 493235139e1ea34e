/** Milliseconds of processor that work takes: on a busy machine the clock says nothing about it. */
export function cpuTimeOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
