// Part of npm run bench, and by itself: what it costs to hold a record against the contract, as is done with each that leaves, beside writing the
// record as JSON; and to fit one that does not, which is done with those alone.
//   node tools/bench-records.mjs
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfChanged } from './build-if-changed.mjs';
import { root } from './install.mjs';

buildIfChanged();
const { fitRecord, validateRecord } = await import(
  pathToFileURL(join(root, 'dist/libs/contract/src/index.js')).href
);

const ticket = {
  id: 'ITS-1001',
  name: 'Printer',
  summary: 'The printer of the third floor is on fire',
  created_at: '2026-01-31T12:00:00Z',
  updated_at: '2026-01-31T12:30:00.125Z',
  creator: 'u-7',
  assignee: 'u-9',
  priority: 'HIGH',
  status: 'open',
  project: 'ITS',
  tags: ['printer', 'fire'],
  custom_fields: { floor: 3 },
};
const device = {
  activity_id: 2,
  category_uid: 5,
  class_uid: 5001,
  type_uid: 500102,
  severity_id: 1,
  time: 1_769_860_800_000,
  metadata: { product: { name: 'Acme' }, version: '1.3.0' },
  device: {
    uid: 'd-1',
    hostname: 'laptop-1',
    type_id: 2,
    ip: '10.0.0.7',
    last_seen_time: 1_769_860_800_000,
    os: { name: 'Linux', type_id: 200 },
    groups: [{ name: 'all' }, { name: 'laptops' }],
  },
};
const seconds = 1;
const cases = [
  ['ticket', 'ticketing_query_tickets', ticket],
  ['device (OCSF)', 'assets_query_devices', device],
];

/** Measures nanoseconds of one call, the best of five rounds. */
function timeOf(work) {
  const rounds = Array.from({ length: 5 }, () => {
    const start = process.hrtime.bigint();
    let count = 0;
    while (process.hrtime.bigint() - start < (seconds * 1e9) / 5)
      for (let index = 0; index < 100; index += 1, count += 1) work();
    return Number(process.hrtime.bigint() - start) / count;
  });
  return Math.min(...rounds);
}

console.log(
  '\n| record | checked | written as JSON | of it | fitted |\n| --- | --- | --- | --- | --- |',
);
for (const [name, id, record] of cases) {
  const fault = validateRecord(id, record);
  if (fault !== undefined) throw new Error(`${name}: ${fault.pointer} ${fault.message}`);
  const checked = timeOf(() => validateRecord(id, record));
  const written = timeOf(() => JSON.stringify(record));
  const part = ((100 * checked) / written).toFixed(0);
  const wrong = { .../** @type {object} */ (record), message: 7, status: 7 };
  const fitted = timeOf(() => fitRecord(id, wrong));
  const ns = (value) => `${value.toFixed(0)} ns`;
  console.log(`| ${name} | ${ns(checked)} | ${ns(written)} | ${part} % | ${ns(fitted)} |`);
}
