import { describe } from '@jest/globals';
import { chromiumPath, inBrowser } from '#test/harness';
import { completionSpecs } from './completion-specs.js';
import { customsSpecs } from './customs-specs.js';
import { useStage } from './stage.js';

(chromiumPath ? describe : describe.skip)(inBrowser('the editors of the console'), () => {
  const stage = useStage();
  completionSpecs(stage);
  customsSpecs(stage);
});
