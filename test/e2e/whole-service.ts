import { afterAll, beforeAll, describe } from '@jest/globals';
import { auditWalk } from './audit-walk.js';
import { bridgeSecretsWalk } from './bridge-secrets-walk.js';
import { bridgeWalk } from './bridge-walk.js';
import { connectorFeatures } from './connector-features.js';
import { freeTrio } from './free-trio.js';
import { identityWalk } from './identity-walk.js';
import { managementWalk } from './management-walk.js';
import type { Onefold } from './onefold.js';
import { recordsWalk } from './records-walk.js';
import { requestsWalk } from './requests-walk.js';
import { rotationWalk } from './rotation-walk.js';
import { ssoWalk } from './sso-walk.js';
import { ticketingSystems } from './ticketing-systems.js';
import { ticketingSystemWalk } from './ticketing-system-walk.js';

/** The end-to-end suite, for each form of the service. @param more tests of one form, by title */
export function wholeService(
  form: string,
  start: () => Promise<Onefold>,
  more: Record<string, (onefold: () => Onefold) => void> = {},
): void {
  let onefold: Onefold;
  beforeAll(async () => {
    onefold = await start();
  });
  afterAll(() => onefold.stop());

  describe(`the whole service, ${form}`, () => {
    describe('management', () => managementWalk(() => onefold));
    describe('identity', () => identityWalk(() => onefold));
    describe('records', () => recordsWalk(() => onefold));
    describe('audit', () => auditWalk(() => onefold));
    describe('the request log', () => requestsWalk(() => onefold));
    describe('keys', () => rotationWalk(() => onefold));
    describe('single sign-on', () => ssoWalk(() => onefold));
    describe('connector operations', () => connectorFeatures(() => onefold));
    describe.each(ticketingSystems)('ticketing over', (system) =>
      ticketingSystemWalk(() => onefold, system),
    );
    describe('bridges', () => bridgeWalk(() => onefold));
    describe('secrets of bridges', () => bridgeSecretsWalk(() => onefold));
    describe('every operation', () => freeTrio(form, () => onefold));
    for (const [title, tests] of Object.entries(more)) describe(title, () => tests(() => onefold));
  });
}
