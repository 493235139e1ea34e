// Runs one of several programs of a kind: `npm run bench -- console` is tools/bench-console.mjs, with the arguments behind the name.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';

/** By kind and name. The name `''` is the program that runs without a name. */
const programs = {
  bench: {
    '': 'bench',
    answers: 'bench-answers',
    attachments: 'bench-attachments',
    bridge: 'bench-bridge',
    console: 'bench-console',
    fairness: 'bench-fairness',
    lists: 'bench-lists',
    lookups: 'bench-lookups',
    mapping: 'bench-mapping',
    memory: 'bench-memory',
    mocks: 'bench-mocks',
    node: 'bench-node',
    providers: 'bench-providers',
    retention: 'bench-retention',
    scale: 'bench-scale',
    soak: 'bench-soak',
    start: 'bench-start',
    worker: 'bench-worker',
  },
  fuzz: {
    framings: 'fuzz-framings',
    http: 'fuzz-http',
    mapping: 'fuzz-mapping',
    texts: 'fuzz-texts',
  },
  proof: {
    bridge: 'proof-bridge',
    campaigns: 'proof-campaigns',
    deploy: 'deploy-proof',
    node: 'check-node',
    operate: 'proof-operate',
    upgrade: 'proof-upgrade',
    worker: 'proof-worker',
  },
  pack: {
    agent: 'pack-agent',
    client: 'pack-client',
    kit: 'pack-kit',
    mapping: 'pack-mapping',
    python: 'pack-python',
  },
};

const [kind, first = '', ...more] = process.argv.slice(2);
const isNamed = first !== '' && !first.startsWith('-');
const name = isNamed ? first : '';
const named = programs[kind];
if (!Object.hasOwn(named, name)) {
  const names = Object.keys(named).filter((one) => one !== '');
  console.error(
    `${name === '' ? `npm run ${kind} needs a name` : `there is no ${kind} ${name}`}: npm run ${kind} -- ${names.join(' | ')}`,
  );
  process.exit(1);
}
const program = join(root, 'tools', `${named[name]}.mjs`);
// As if it had been started by itself.
process.argv = [process.argv[0], program, ...(isNamed ? more : process.argv.slice(3))];
await import(pathToFileURL(program).href);
