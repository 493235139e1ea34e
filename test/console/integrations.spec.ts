import { connectSpecs } from './connect-specs.js';
import { integrationSpecs } from './integration-specs.js';
import { integrationTabSpecs } from './integration-tab-specs.js';
import { providerSpecs } from './provider-specs.js';
import { handOverSpecs } from './hand-over-specs.js';
import { describeInBrowser } from './stage.js';

describeInBrowser('integrations in the console', (stage) => {
  connectSpecs(stage);
  integrationSpecs(stage);
  integrationTabSpecs(stage);
  handOverSpecs(stage);
  providerSpecs(stage);
});
