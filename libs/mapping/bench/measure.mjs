// Measures functions beside each other: in turns, in processor time of this process, so that other work on the machine counts for little.

// Results are stored here, or the compiler removes code whose result is not used.
const kept = [];

/**
 * Returns nanoseconds of processor time per call of each function, as medians over the rounds, and `times`: the median over the rounds
 * of what each takes relative to the first. Functions may be asynchronous.
 */
export async function compareInTurns(functions, { rounds = 9, milliseconds = 60 } = {}) {
  const counts = [];
  for (const one of functions) counts.push(await countFor(one, milliseconds));
  const all = functions.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, one] of functions.entries())
      all[index].push(await nanoseconds(one, counts[index]));
  const [first] = all;
  return {
    nanoseconds: all.map(median),
    times: all.map((one) => median(one.map((time, round) => time / first[round]))),
  };
}

/** Warms a function up, and returns how many calls take about so many milliseconds. */
async function countFor(call, milliseconds) {
  let count = 1;
  for (let spent = 0; spent < milliseconds; count *= 2)
    spent = ((await nanoseconds(call, count)) * count) / 1e6;
  return count / 2;
}

async function nanoseconds(call, count) {
  const before = process.cpuUsage();
  if (call() instanceof Promise)
    for (let index = 0; index < count; index += 1) kept[index & 15] = await call();
  else for (let index = 0; index < count; index += 1) kept[index & 15] = call();
  const { user, system } = process.cpuUsage(before);
  return (1000 * (user + system)) / count;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
