// Jest runs large files first, where it has no times of a run before. Here the folder says more: the fuzz takes longest, then what starts
// processes. Specs of large files come before all: each collection that their buffers cause goes through the whole heap of the worker, which
// is small at its start.
import Sequencer from '@jest/test-sequencer';

const folders = [
  '/libs/providers/azure-blob/',
  '/libs/providers/s3/',
  '/apps/bridge-agent/src/secrets.',
  '/test/attack/fuzz.',
  '/test/e2e/',
  '/test/isolation/',
  '/apps/provider-kit/',
  '/test/attack/',
  '/test/api/',
  '/test/',
  '/libs/',
];
const rank = ({ path }) => {
  const index = folders.findIndex((folder) => path.includes(folder));
  return index < 0 ? folders.length : index;
};

/** Its types describe the CommonJS form, whose default is another than that of the module. */
const Base = /** @type {any} */ (Sequencer);

export default class LongSpecsFirst extends Base {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
