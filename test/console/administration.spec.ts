import { describe } from '@jest/globals';
import { chromiumPath, inBrowser } from '#test/harness';
import { downloadSpecs } from './download-specs.js';
import { failedSignOnSpecs } from './failed-sign-on-specs.js';
import { overviewSpecs } from './overview-specs.js';
import { remedySpecs } from './remedy-specs.js';
import { requestSpecs } from './request-specs.js';
import { roleSpecs } from './role-specs.js';
import { useStage } from './stage.js';
import { wordSpecs } from './word-specs.js';

(chromiumPath ? describe : describe.skip)(
  inBrowser('what administrators do in the console'),
  () => {
    const stage = useStage();
    roleSpecs(stage);
    downloadSpecs(stage);
    remedySpecs(stage);
    overviewSpecs(stage);
    requestSpecs(stage);
    wordSpecs(stage);
    failedSignOnSpecs(stage);
  },
);
