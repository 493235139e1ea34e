import { randomBytes } from 'node:crypto';
import { keyOf, Keyring } from '#secrets';

/** Keys with which the processes of a test encrypt on the bus. */
export const busKeys = new Keyring([keyOf(randomBytes(32))]).derive('bus messages');
