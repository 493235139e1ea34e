import { describe, expect, it } from '@jest/globals';
import { providerFolders } from '../folders.js';
import { reportModel } from './model-report.js';
import { hasModel } from './vendor-model.js';

const folders = providerFolders().filter(hasModel);

describe.each(folders.map((folder) => ({ name: folder.name, folder })))(
  'the model of the vendor of $name',
  ({ folder }) => {
    it('has the records of each mapping, no field that is dropped without a reason, and no reason that no field needs', () => {
      const { records, missing } = reportModel(folder);
      const faults = records.flatMap(({ record, dropped, unneeded }) => [
        ...dropped.flatMap(({ path, reason }) =>
          reason === undefined ? `${record.name}: ${path} is in no record of ours` : [],
        ),
        ...unneeded.map((pattern) => `${record.name}: no field is dropped by ${pattern}`),
      ]);
      expect([...faults, ...missing.map((mapping) => `no record of ${mapping}`)]).toEqual([]);
    });
  },
);
