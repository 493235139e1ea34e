// Jest runs large files first, where it has no times of a run before. Here the folder says more: what starts processes takes longest.
import Sequencer from '@jest/test-sequencer';

const folders = ['/test/isolation/', '/test/e2e/', '/test/api/', '/test/', '/libs/'];
const rank = ({ path }) => folders.findIndex((folder) => path.includes(folder));

export default class LongSpecsFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
