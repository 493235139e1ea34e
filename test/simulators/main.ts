import { parseArgs } from 'node:util';
import { Simulator } from './simulator.js';
import type { SimulatorOptions } from './vendor.js';

/**
 * Program of a simulator's `main.ts`: listens on `--port` (0 for any), prints its address on one line, and ends by a
 * signal.
 */
export async function runSimulator(options: SimulatorOptions): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const simulator = new Simulator(options);
  const url = await simulator.listen(Number(values.port));
  process.stdout.write(`${options.name} ${url}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void simulator.close());
}
