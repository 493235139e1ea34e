// Jest runs large files first, where it has no times of a run before. Here the folder says more: the fuzz takes longest, then what starts
// processes.
import Sequencer from '@jest/test-sequencer';

const folders = [
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

export default class LongSpecsFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
