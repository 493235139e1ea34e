import { expect, it } from '@jest/globals';
import { pollFaults, pollFieldsOf, setupsOf } from '#apps/provider-kit';
import { loadValidators, type OperationId } from '#contract';
import { fakeFolders, providerFolders } from '../../apps/provider-kit/src/folders.js';
import { isList } from '../../apps/provider-kit/src/over-fake/own-lists.js';
import { compiledOf } from '../../apps/provider-kit/src/compiled-folder.js';

/** `POLL_ROWS=10000 npm test -- test/fakes/polling` has as many records as vendors give of a list. */
const rows = Number(process.env['POLL_ROWS'] ?? 120);
/** A list that a vendor cannot filter is read to its end, which takes minutes for 10,000 records on a busy machine. */
const timeoutMs = rows > 1_000 ? 3_600_000 : undefined;
const setups = fakeFolders()
  .filter(({ isMadeUp }) => !isMadeUp)
  .flatMap(setupsOf);

it.each(setups.map((setup) => [setup.type, setup] as const))(
  'what has changed in the last five minutes at %s costs no more where it has many records',
  async (_type, setup) => {
    await loadValidators();
    expect(await pollFaults(setup, rows)).toEqual([]);
  },
  timeoutMs,
);

it('vendors without a fake apply filters of all times', () => {
  const folders = providerFolders().filter((folder) => !folder.has('fake.yaml'));
  const unknown = folders.flatMap((folder) =>
    compiledOf(folder).providers.flatMap(({ operations }) =>
      Object.entries(operations)
        .filter(([id]) => isList(id as OperationId))
        .flatMap(([id, operation]) =>
          pollFieldsOf(operation)
            .filter(([field]) => !operation.pushes?.filter({ field, operator: 'gte', values: [] }))
            .map(([field]) => `${folder.name} ${id} ${field}`),
        ),
    ),
  );
  expect(unknown).toEqual([]);
});
