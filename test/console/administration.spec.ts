import { describe } from '@jest/globals';
import { chromiumPath, inBrowser } from '#test/harness';
import { downloadSpecs } from './download-specs.js';
import { remedySpecs } from './remedy-specs.js';
import { roleSpecs } from './role-specs.js';
import { useStage } from './stage.js';

(chromiumPath ? describe : describe.skip)(
  inBrowser('what administrators do in the console'),
  () => {
    const stage = useStage();
    roleSpecs(stage);
    downloadSpecs(stage);
    remedySpecs(stage);
  },
);
