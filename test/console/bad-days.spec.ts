import { describe } from '@jest/globals';
import { chromiumPath, inBrowser } from '#test/harness';
import { badDaySpecs } from './bad-day-specs.js';
import { connectionSpecs } from './connection-specs.js';
import { useStage } from './stage.js';

(chromiumPath ? describe : describe.skip)(inBrowser('the console on bad days'), () => {
  const stage = useStage();
  badDaySpecs(stage);
  connectionSpecs(stage);
});
