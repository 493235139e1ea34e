import { posix } from 'node:path';
import type { Method } from '../../language/specification.js';
import { asArray, asString } from '../../language/values.js';
import { deep, flat } from '../costs.js';

export const pathMethods: readonly Method[] = [
  {
    name: 'filepath_split',
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 40 },
    description: 'Folder and file of a path.',
    examples: [['root = this.filepath_split()', '"/foo/bar.txt"', '["/foo/","bar.txt"]']],
    run: (target) => {
      const value = asString(target);
      const cut = value.lastIndexOf('/') + 1;
      return [value.slice(0, cut), value.slice(cut)];
    },
  },
  {
    name: 'filepath_join',
    category: 'string',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 60, result: 'flat' },
    description: 'The parts of a path as one.',
    examples: [['root = this.filepath_join()', '["/foo/","bar.txt"]', '"/foo/bar.txt"']],
    run: (target) => {
      const parts = asArray(target)
        .map((one) => asString(one))
        .filter((one) => one !== '');
      return parts.length === 0 ? '' : posix.join(...parts).replace(/(.)\/$/, '$1');
    },
  },
];
