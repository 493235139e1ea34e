import { describe, expect, it } from '@jest/globals';
import { runMapping } from '#test/harness';

const folder = new URL('.', import.meta.url);
const map = (mapping: string, record: object) =>
  runMapping(folder, mapping, record, {
    path: { conversationId: '19:a@thread.v2' },
    config: { tenant_id: 't-1' },
  });

describe('a device of Intune', () => {
  const device = { id: 'd-1', operatingSystem: 'macOS', managedDeviceName: 'ana_MacMDM_1' };

  it.each([
    ['AP-UTR-L0019', { hostname: 'AP-UTR-L0019', name: 'AP-UTR-L0019' }],
    ["Ana's MacBook Pro", { name: "Ana's MacBook Pro" }],
  ])('named %s has a host name only if it is one', (deviceName, names) => {
    const { device: made, unmapped } = map('device', { ...device, deviceName });
    expect({ ...(made.hostname && { hostname: made.hostname }), name: made.name }).toEqual(names);
    expect(unmapped).toMatchObject({ managedDeviceName: 'ana_MacMDM_1' });
  });
});

describe('a conversation of Teams', () => {
  // A chat without a topic, whose members were not asked for.
  const chat = { id: '19:a@thread.v2', topic: null, chatType: 'group' };

  it('may have neither a name nor members', () => {
    expect(map('conversation', chat)).toMatchObject({
      conversation: { uid: '19:a@thread.v2', type: 'Group Chat' },
      message: 'Conversation 19:a@thread.v2',
    });
  });

  it('is named by the members that have a name', () => {
    const members = [{ displayName: 'Ana' }, { displayName: null }, { displayName: 'Jo' }];
    expect(map('conversation', { ...chat, members })).toMatchObject({
      conversation: { name: 'Ana, Jo', member_count: 3 },
    });
  });

  it('may have members without a name', () => {
    expect(map('chat-member', { id: 'm-1', userId: null, displayName: null })).toMatchObject({
      message: 'Member m-1',
    });
  });
});

describe('e-mail that Defender has analyzed', () => {
  const mail = { id: 'e-1', loggedDateTime: '2026-11-21T08:00:00Z', directionality: 'inbound' };

  it('is delivered where its attachment was replaced', () => {
    const latestDelivery = { action: 'replaced', location: 'inbox' };
    expect(map('email-event', { ...mail, latestDelivery })).toMatchObject({
      disposition: 'Corrected',
      action: 'Modified',
      email: { is_delivered: true },
    });
  });

  it('has as many attachments and links as it lists', () => {
    const attachments = [{ fileName: 'a.pdf', fileSize: 7 }];
    expect(map('email-event', { ...mail, attachments, urls: [] })).toMatchObject({
      email: { attachment_count: 1, url_count: 0 },
    });
  });

  it('tells its mailboxes and like messages where an alert is about them', () => {
    const type = (name: string) => ({ '@odata.type': `#microsoft.graph.security.${name}Evidence` });
    const evidence = [
      {
        ...type('mailbox'),
        primaryAddress: 'ana@example.com',
        displayName: 'Ana',
        upn: 'ana@example.com',
      },
      { ...type('mailCluster'), clusterBy: 'Subject', emailCount: 3, networkMessageIds: ['n-1'] },
      { ...type('analyzedMessage'), networkMessageId: 'n-1', deliveryAction: 'Replaced' },
    ];
    expect(map('threat', { id: 'a-1', status: 'new', evidence })).toMatchObject({
      disposition: 'Corrected',
      evidences: [
        { user: { name: 'ana@example.com', full_name: 'Ana', email_addr: 'ana@example.com' } },
        { data: { cluster_by: 'Subject', email_count: 3, network_message_ids: ['n-1'] } },
        { email: { uid: 'n-1' } },
      ],
    });
  });
});

describe('what Entra tells', () => {
  it('keeps the level of somebody who is at no risk any more', () => {
    expect(map('user', { id: 'u-1', riskLevel: 'none', riskState: 'remediated' })).toMatchObject({
      entity: { user: { risk_level: 'Info' } },
      unmapped: { riskLevel: 'none', riskState: 'remediated' },
    });
  });

  it('may be a risk without a kind', () => {
    expect(map('risk-detection', { id: 'r-1', userId: 'u-1', riskLevel: 'high' })).toMatchObject({
      severity: 'High',
      finding_info: { title: 'Risk detected: unknown' },
    });
  });
});
