import { firstStepsSpecs } from './first-steps-specs.js';
import { describeInBrowser } from './stage.js';

describeInBrowser('the first steps in the console', firstStepsSpecs);
