import { standardEnvironment } from '@onefold/mapping';
import type { Method } from '../../libs/mapping/src/language/specification.js';
import { free } from '../../libs/mapping/src/methods/costs.js';
import type { Load } from './method-loads.js';

/** Milliseconds that the method of the dry run takes for one step, several times what loads may take beside their steps. */
const unpaidTime = 60;

function fake(name: string, run: Method['run']): [string, Method] {
  return [
    name,
    {
      name,
      category: 'number',
      purity: 'pure',
      cost: free,
      description: 'A method of the dry run.',
      examples: [],
      run,
    },
  ];
}

const environment = {
  ...standardEnvironment,
  methods: new Map([
    ...standardEnvironment.methods,
    fake('takes_nothing', (target) => target),
    fake('takes_time', (target) => {
      const begun = process.cpuUsage();
      let sum = 0;
      for (let taken = 0; taken < unpaidTime * 1_000;) {
        // Between looks at the clock, each of which is a call of the system.
        for (let round = 0; round < 100_000; round += 1) sum += round;
        const { user, system } = process.cpuUsage(begun);
        taken = user + system;
      }
      return sum === 0 ? null : target;
    }),
  ]),
};

/** One load that costs nothing, and one that does not pay for its time. What a method makes is paid for by every run, whatever it says. */
export function* unpaidLoads(): Generator<{ load: Load; freeTime: number }> {
  for (const name of ['takes_nothing', 'takes_time'])
    yield {
      load: { name: `this.${name}()`, source: `root = this.${name}()`, input: 1, environment },
      freeTime: 6,
    };
}
