import { startDistributed } from './onefold.js';
import { wholeService } from './whole-service.js';

wholeService('distributed', startDistributed);
