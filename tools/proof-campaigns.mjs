// npm run proof -- campaigns [test/isolation …]: runs whole what `npm test` runs a share of: who reaches whose records, malformed requests, the
// walks of all mocks in each form of the service, processes that are killed, what the kit finds of lies, and the looks of the console. It ends
// with 1 where one fails.
import { run } from './install.mjs';

const campaigns = [
  'test/isolation',
  'test/attack/fuzz',
  'test/e2e/distributed',
  'test/e2e/embedded',
  'test/e2e/deliveries',
  'test/e2e/canaries',
  'test/api/mocks',
  'test/fakes/planted-lies',
  'test/console/walks',
];
const given = process.argv.slice(2);
run(process.execPath, ['tools/test.mjs', ...(given.length > 0 ? given : campaigns)], {
  env: { ...process.env, WHOLE_CAMPAIGNS: '1' },
});
