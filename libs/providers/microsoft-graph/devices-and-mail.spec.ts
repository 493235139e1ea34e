import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { makeWorld } from '#fakes';
import { listFaults, type OverFake } from '#test/harness';
import { overFake } from './over-fake.fixture.js';

const intune = overFake('endpointmanagement_intune');
const defender = overFake('emailsecurity_defender_for_office');
const world = makeWorld({ start: intune.start, dataset: 'BASIC' });
const managed = world.devices.filter((one) => one.mdm_version !== null);
const laptop = world.devices.find(({ hostname }) => hostname === 'AP-UTR-L0019');

beforeAll(() => loadValidators());
beforeEach(() => {
  intune.reset();
  defender.reset();
});

const deviceOf = async (name = '') =>
  (
    await intune.all('endpointmanagement_query_devices', { filter: `device.hostname[eq]${name}` })
  )[0];

describe.each<[OverFake, OperationId, number]>([
  [intune, 'endpointmanagement_query_devices', managed.length],
  [defender, 'emailsecurity_query_threats', world.mail_threats.length],
  [defender, 'emailsecurity_query_email_events', world.mails.flatMap(({ to }) => to).length],
])('a list of %#', (over, id, count) => {
  it('has the records of the company, filters and orders as declared', async () => {
    const { body } = await over.call(id, { query: { limit: 500 } });
    expect(body['result']).toHaveLength(count);
    expect(await listFaults(over, id)).toEqual([]);
  });
});

describe('devices', () => {
  it('are those that are managed, with their owners', async () => {
    const found = await deviceOf(laptop?.hostname);
    expect(found?.['device']).toMatchObject({
      hostname: 'AP-UTR-L0019',
      mac: laptop?.mac,
      os: { type: 'Windows' },
      hw_info: { serial_number: laptop?.serial },
      owner: { email_addr: 'pieter.jansen@alderpoint.example' },
      is_compliant: false,
      last_seen_time: laptop?.last_seen_ms,
    });
    const path = { id: found?.['device'].uid as string };
    const { body } = await intune.call('endpointmanagement_get_device', { path });
    expect(body['result'].device).toEqual(found?.['device']);
    const missing = await intune.call('endpointmanagement_get_device', { path: { id: 'none' } });
    expect(missing.status).toBe(404);
  });

  it('have applications', async () => {
    const path = { id: (await deviceOf(laptop?.hostname))?.['device'].uid as string };
    const { body } = await intune.call('endpointmanagement_query_device_applications', {
      path,
      query: { limit: 500 },
    });
    const names = (body['result'] as { product: { name: string } }[]).map(
      (one) => one.product.name,
    );
    expect(names.sort()).toEqual(laptop?.installed.map(({ name }) => name).sort());
    const filter = 'product.name[eq]WinRAR';
    const found = await intune.all(
      'endpointmanagement_query_device_applications',
      { filter },
      path,
    );
    expect(found.map(({ product }) => product.version as string)).toEqual(['6.22']);
  });

  it('comply with policies or not', async () => {
    const query = { filter: 'device.hostname[eq]AP-UTR-L0019' };
    const { body } = await intune.call('endpointmanagement_query_compliance_findings', { query });
    const found = (body['result'] as { finding_info: { title: string }; compliance: object }[]).map(
      ({ finding_info: { title }, compliance }) => [
        title,
        (compliance as { status: string }).status,
      ],
    );
    expect(found).toEqual([
      ['Disk encryption', laptop?.is_encrypted === true ? 'Pass' : 'Fail'],
      ['Management', 'Pass'],
      ['Patch level', 'Fail'],
    ]);
    const all = await intune.all('endpointmanagement_query_compliance_findings');
    const expected = managed.flatMap((one) =>
      world.policies.filter(({ platforms }) => platforms.includes(one.os_family)),
    );
    expect(all).toHaveLength(expected.length);
  });

  it.each<[OperationId, string, object]>([
    ['endpointmanagement_lock_device', 'remoteLock', {}],
    ['endpointmanagement_restart_device', 'rebootNow', {}],
    ['endpointmanagement_update_device', 'syncDevice', {}],
    ['endpointmanagement_wipe_device', 'wipe', { params: { keepUserData: true } }],
    ['endpointmanagement_remediate_device', 'windowsDefenderScan', { action: 'scan' }],
    [
      'endpointmanagement_remediate_device',
      'initiateOnDemandProactiveRemediation',
      { policy_id: 'script-1' },
    ],
  ])('%s asks for %s, which is done after a while', async (id, name, extra) => {
    const uid = (await deviceOf(laptop?.hostname))?.['device'].uid as string;
    const { status, body } = await intune.call(id, { body: { device_id: uid, ...extra } });
    expect([status, body]).toEqual([200, { result: `${name} is pending` }]);
    const state = async () => {
      const read = await intune.call('endpointmanagement_get_device', { path: { id: uid } });
      return read.body['result'].unmapped.deviceActionResults[0] as object;
    };
    expect(await state()).toMatchObject({ actionName: name, actionState: 'pending' });
    intune.now += 5_000;
    expect(await state()).toMatchObject({ actionName: name, actionState: 'done' });
  });

  it('are not remediated without a device, or by something that Intune cannot do', async () => {
    for (const body of [{ action: 'scan' }, { device_id: 'x', action: 'dance' }])
      expect((await intune.call('endpointmanagement_remediate_device', { body })).status).toBe(400);
  });
});

describe('threats', () => {
  it('are alerts about e-mail, with the message', async () => {
    const open = await defender.all('emailsecurity_query_threats', {
      filter: 'status[eq]In Progress',
    });
    const mail = world.mails.find(({ key }) => key === 'eml-0007');
    const found = open.find((one) => one['evidences'][0].email?.message_uid === mail?.message_id);
    expect(found?.['disposition']).toBe('Allowed');
    expect((found?.['evidences'] as object[]).slice(0, 2)).toMatchObject([
      { email: { from: mail?.from, subject: mail?.subject } },
      { user: { name: 'pieter.jansen@alderpoint.example' } },
    ]);
    const path = { threatId: found?.['metadata'].uid as string };
    const { body } = await defender.call('emailsecurity_get_threat_details', { path });
    expect(body['result'].finding_info).toEqual(found?.['finding_info']);
    const missing = await defender.call('emailsecurity_get_threat_details', {
      path: { threatId: 'none' },
    });
    expect(missing.status).toBe(404);
  });

  it('have messages that were analyzed', async () => {
    const events = await defender.all('emailsecurity_query_email_events', {
      filter: 'disposition[eq]Quarantined',
    });
    const expected = world.mails.filter(({ folder: place }) => place === 'quarantine');
    expect(events.map(({ email }) => email.message_uid as string).sort()).toEqual(
      expected.map(({ message_id: id }) => id).sort(),
    );
    const { query } = defender.fake.log.requests.at(-1) ?? {};
    expect(query).toMatchObject({ endTime: ['2026-11-22T00:00:00.000Z'] });
  });
});

it('both configurations are verified', async () => {
  expect((await intune.verify()).status).toBe(200);
  expect((await defender.verify()).status).toBe(200);
});
