import { compareSpecs } from './compare-specs.js';
import { explorerSpecs } from './explorer-specs.js';
import { mappingListSpecs } from './mapping-list-specs.js';
import { describeInBrowser } from './stage.js';
import { studioSizeSpecs } from './studio-size-specs.js';
import { studioPaneSpecs } from './studio-pane-specs.js';
import { studioSpecs } from './studio-specs.js';
import { wayBackSpecs } from './way-back-specs.js';

describeInBrowser('the explorer and the mapping studio', (stage) => {
  explorerSpecs(stage);
  compareSpecs(stage);
  studioSpecs(stage);
  studioPaneSpecs(stage);
  studioSizeSpecs(stage);
  mappingListSpecs(stage);
  wayBackSpecs(stage);
});
