import { startEmbedded } from './onefold.js';
import { wholeService } from './whole-service.js';

wholeService('embedded', startEmbedded);
