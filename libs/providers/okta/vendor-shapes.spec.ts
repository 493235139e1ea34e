import { describe, expect, it } from '@jest/globals';
import { type Json, runMapping } from '#test/harness';

const folder = new URL('../../../../libs/providers/okta/', import.meta.url);

describe('an event of the log', () => {
  const read = (record: object) => runMapping(folder, 'event', record);
  const event = {
    uuid: 'e-1',
    published: '2026-11-21T08:00:00.000Z',
    severity: 'INFO',
    version: '0',
    actor: { id: 'spr-1', type: 'SystemPrincipal', alternateId: 'system@okta.com' },
    target: [{ id: '00u-1', type: 'User', alternateId: 'ada@example.com', displayName: 'Ada' }],
  };

  it.each([
    ['user.session.start', 'Authentication', 'Logon'],
    ['user.session.expire', 'Authentication', 'Logoff'],
    ['user.session.impersonation.initiate', 'Authentication', 'Logon'],
    ['user.session.impersonation.end', 'Authentication', 'Logoff'],
    ['user.session.impersonation.grant', 'API Activity', 'user.session.impersonation.grant'],
    ['user.session.impersonation.revoke', 'API Activity', 'user.session.impersonation.revoke'],
    ['security.threat.detected', 'Detection Finding', 'Create'],
    [
      'security.threat.configuration.update',
      'API Activity',
      'security.threat.configuration.update',
    ],
  ])('%s is %s, %s', (eventType, name, activity) => {
    expect(read({ ...event, eventType })).toMatchObject({
      class_name: name,
      activity_name: activity,
    });
  });

  it('has its country by its code, also where Okta names it', () => {
    const placed = (country: unknown) =>
      read({
        ...event,
        eventType: 'user.session.start',
        client: { ipAddress: '192.0.2.1', geographicalContext: { city: 'Porto', country } },
      })['src_endpoint'] as { location: Json };
    expect(['Portugal', 'PT', 'Atlantis', null].map((one) => placed(one).location)).toEqual([
      { city: 'Porto', country: 'PT' },
      { city: 'Porto', country: 'PT' },
      { city: 'Porto' },
      { city: 'Porto' },
    ]);
  });

  it('has the level of its risk, and the reasons with their commas, of the user whom it is about', () => {
    const risk =
      '{previousLevel=LOW, level=HIGH, detectionName=Session Influenced User Risk, reasons=New city, new device, issuer=OKTA}';
    const debugContext = { debugData: { risk, traceId: 't-1' } };
    expect(read({ ...event, eventType: 'user.risk.change', debugContext })).toMatchObject({
      severity: 'High',
      finding_info: { types: ['Session Influenced User Risk'], desc: 'New city, new device' },
      resources: [{ uid: '00u-1', name: 'ada@example.com', type: 'User' }],
      evidences: [{ user: { uid: '00u-1' }, actor: { user: { uid: 'spr-1', type: 'System' } } }],
      risk_details: 'New city, new device',
    });
  });

  it('may be about nobody, and have fields of any other type', () => {
    const odd = {
      ...event,
      eventType: 'user.risk.detect',
      target: 'nobody',
      severity: 7,
      actor: null,
    };
    expect(read(odd)).toMatchObject({ class_name: 'Detection Finding', severity: 'Unknown' });
  });
});
