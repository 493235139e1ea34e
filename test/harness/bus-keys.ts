import { randomBytes } from 'node:crypto';
import { keyOf, Keyring } from '#secrets';

/** Keys of the bus for the processes of a test. */
export const busKeys = new Keyring([keyOf(randomBytes(32))]).derive('bus messages');
