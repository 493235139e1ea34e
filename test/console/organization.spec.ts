import { auditSpecs } from './audit-specs.js';
import { backgroundSpecs } from './background-specs.js';
import { environmentSpecs } from './environment-specs.js';
import { settingsSpecs } from './settings-specs.js';
import { listSpecs } from './list-specs.js';
import { describeInBrowser } from './stage.js';

describeInBrowser('the organization in the console', (stage) => {
  auditSpecs(stage);
  backgroundSpecs(stage);
  settingsSpecs(stage);
  listSpecs(stage);
  environmentSpecs(stage);
});
