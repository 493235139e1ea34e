import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeEngine, makeWorld, MemoryStorage, readFake } from '#fakes';

const document = readFake(readFileSync(new URL('./fake.yaml', import.meta.url), 'utf8'));
const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });

interface Answer {
  status: number;
  headers: Record<string, string>;
  // The tests read responses of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

let now: number;
let fake: FakeEngine;
let secrets: Record<string, string>;

beforeEach(() => {
  now = start.getTime();
  const storage = new MemoryStorage();
  fake = new FakeEngine(document, { storage, clock: () => now, start, dataset: 'BASIC', key: 'k' });
  secrets = Object.fromEntries(
    fake.credentials().map(({ principal, secret = '' }) => [principal, secret]),
  );
});

async function call(request: string, body?: object, secret = secrets['admin']): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const headers = { 'content-type': 'application/json', 'x-apikeys': secret ?? '' };
  const url = `https://cloud.tenable.com${path}`;
  const bytes = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
  const answer = await fake.handle({ method, url, headers, ...bytes });
  expect(fake.log.violations).toEqual([]);
  return { ...answer, body: JSON.parse(Buffer.from(answer.body).toString()) };
}

interface Finding {
  asset: { hostname: string };
  plugin: { cve: string[] };
  severity: string;
  state: string;
}

/** Runs an export to its end. @returns the records of each chunk */
async function exportAll<T>(kind: 'vulns' | 'assets', body: object): Promise<T[][]> {
  const { export_uuid } = (await call(`POST /${kind}/export`, body)).body as Record<string, string>;
  now += 3_000;
  const { body: job } = await call(`GET /${kind}/export/${export_uuid}/status`);
  expect(job.status).toBe('FINISHED');
  const chunks: T[][] = [];
  for (const chunk of job.chunks_available as number[]) {
    const answer = await call(`GET /${kind}/export/${export_uuid}/chunks/${chunk}`);
    expect(answer.status).toBe(200);
    chunks.push(answer.body as T[]);
  }
  return chunks;
}

const nameOf = ({ asset, plugin }: Finding) => `${asset.hostname} ${plugin.cve[0]}`;
const worldFindings = (states: string[]) =>
  world.findings
    .filter(({ state }) => states.includes(state))
    .map(({ device, vulnerability }) => {
      const { hostname } = world.devices.find(({ key }) => key === device) ?? {};
      return `${hostname} ${vulnerability}`;
    });

describe('an export of findings', () => {
  it('is queued, then processing with its first chunk, then finished', async () => {
    const { export_uuid: uuid } = (await call('POST /vulns/export', { num_assets: 50 })).body;
    const status = async () => (await call(`GET /vulns/export/${uuid}/status`)).body as object;
    expect(await status()).toMatchObject({ status: 'QUEUED', chunks_available: [] });
    now += 50;
    expect(await status()).toMatchObject({ status: 'PROCESSING', chunks_available: [1] });
    expect((await call(`GET /vulns/export/${uuid}/chunks/1`)).status).toBe(200);
    expect((await call(`GET /vulns/export/${uuid}/chunks/2`)).status).toBe(404);
    now += 50;
    expect(await status()).toMatchObject({ status: 'FINISHED', chunks_available: [1, 2] });
    now += 86_400_000;
    expect((await call(`GET /vulns/export/${uuid}/status`)).status).toBe(404);
  });

  it('has every open finding of the company exactly once, by assets', async () => {
    const chunks = await exportAll<Finding>('vulns', { num_assets: 50, filters: {} });
    expect(chunks).toHaveLength(2);
    const names = chunks.flat().map(nameOf);
    expect(names).toHaveLength(worldFindings(['open', 'reopened', 'suppressed']).length);
    expect(names.sort()).toEqual(worldFindings(['open', 'reopened', 'suppressed']).sort());
  });

  it('is filtered by state and severity', async () => {
    const fixed = await exportAll<Finding>('vulns', { filters: { state: ['FIXED'] } });
    expect(fixed.flat().map(nameOf).sort()).toEqual(worldFindings(['fixed']).sort());
    const filters = { severity: ['critical'], state: ['open', 'reopened', 'fixed'] };
    const critical = (await exportAll<Finding>('vulns', { filters })).flat();
    const expected = world.findings.filter(({ severity }) => severity === 'critical');
    expect(critical).toHaveLength(expected.length);
  });

  it('is filtered by time and CVE', async () => {
    const dayAgo = Math.floor(start.getTime() / 1_000) - 86_400;
    const filters = { last_fixed: dayAgo, state: ['FIXED'] };
    const fixed = (await exportAll<Finding>('vulns', { filters })).flat();
    const expected = world.findings.filter(({ fixed_ms }) => (fixed_ms ?? 0) >= dayAgo * 1_000);
    expect(fixed).toHaveLength(expected.length);
    const { vulnerability: cve = '' } = world.findings.find(({ state }) => state === 'open') ?? {};
    const ofCve = (await exportAll<Finding>('vulns', { filters: { cve_id: [cve] } })).flat();
    expect(ofCve.length).toBeGreaterThan(0);
    expect(new Set(ofCve.map(({ plugin }) => plugin.cve[0]))).toEqual(new Set([cve]));
  });

  it('is refused while the same one runs, with the id of that', async () => {
    const first = await call('POST /vulns/export', { filters: { state: ['OPEN'] } });
    const second = await call('POST /vulns/export', { filters: { state: ['OPEN'] } });
    expect(second.status).toBe(409);
    expect(second.body.active_job_id).toBe(first.body.export_uuid);
    expect((await call('POST /vulns/export', { filters: {} })).status).toBe(200);
    await call(`POST /vulns/export/${first.body.export_uuid}/cancel`);
    const job = await call(`GET /vulns/export/${first.body.export_uuid}/status`);
    expect(job.body.status).toBe('CANCELLED');
    expect((await call('POST /vulns/export', { filters: { state: ['OPEN'] } })).status).toBe(200);
  });
});

describe('an export of assets', () => {
  it('has every asset of the company exactly once', async () => {
    const chunks = await exportAll<{ id: string; hostnames: string[] }>('assets', {
      chunk_size: 100,
    });
    const hostnames = chunks.flat().flatMap((asset) => asset.hostnames);
    expect(hostnames).toEqual(world.devices.map(({ hostname }) => hostname));
    const [first] = chunks.flat();
    expect((await call(`GET /assets/${first?.id}`)).body.hostname).toEqual(first?.hostnames);
  });

  it('names the asset of each finding', async () => {
    const assets = (await exportAll<{ id: string }>('assets', { chunk_size: 100 })).flat();
    const findings = (await exportAll<{ asset: { uuid: string } }>('vulns', {})).flat();
    const ids = new Set(assets.map(({ id }) => id));
    expect(findings.every(({ asset }) => ids.has(asset.uuid))).toBe(true);
  });
});

/** Names of fields in the recorded exchanges of pyTenable: those that every record had, and the others. */
const recorded = {
  vulns: {
    always: `asset asset.hostname asset.uuid asset.ipv4 asset.tracked plugin plugin.description plugin.family
      plugin.has_patch plugin.id plugin.name plugin.risk_factor plugin.solution plugin.synopsis port port.port
      port.protocol scan scan.completed_at scan.schedule_uuid scan.started_at scan.uuid severity severity_id
      severity_default_id severity_modification_type first_found last_found state
      plugin.cvss3_vector.access_complexity plugin.cvss3_vector.access_vector plugin.cvss3_vector.availability_impact
      plugin.cvss3_vector.confidentiality_impact plugin.cvss3_vector.integrity_impact plugin.cvss3_vector.raw
      plugin.xrefs[].type plugin.xrefs[].id`,
    sometimes: `asset.bios_uuid asset.device_type asset.last_authenticated_results asset.mac_address
      asset.netbios_name asset.operating_system output plugin.family_id plugin.modification_date
      plugin.publication_date plugin.type plugin.version asset.fqdn plugin.cve plugin.cvss3_base_score
      plugin.cvss3_vector plugin.exploit_available plugin.patch_publication_date plugin.xrefs plugin.see_also
      last_fixed plugin.vuln_publication_date asset.agent_uuid`,
  },
  assets: {
    always: `id has_agent has_plugin_results created_at terminated_at terminated_by updated_at deleted_at deleted_by
      first_seen last_seen first_scan_time last_scan_time last_authenticated_scan_date last_licensed_scan_date
      azure_vm_id azure_resource_id aws_ec2_instance_ami_id aws_ec2_instance_id agent_uuid bios_uuid environment_id
      aws_owner_id aws_availability_zone aws_region aws_vpc_id aws_ec2_instance_group_name
      aws_ec2_instance_state_name aws_ec2_instance_type aws_subnet_id aws_ec2_product_code aws_ec2_name
      mcafee_epo_guid mcafee_epo_agent_guid servicenow_sysid agent_names ipv4s ipv6s fqdns mac_addresses
      netbios_names operating_systems system_types hostnames ssh_fingerprints qualys_asset_ids qualys_host_ids
      manufacturer_tpm_ids symantec_ep_hardware_keys sources sources[].name sources[].first_seen
      sources[].last_seen tags network_interfaces`,
    // The recorded exports have neither tags nor interfaces nor software; these names are those of Tenable's documentation.
    sometimes: `installed_software tags[].uuid tags[].key tags[].value tags[].added_by tags[].added_at network_interfaces[].name
      network_interfaces[].mac_address network_interfaces[].ipv4 network_interfaces[].ipv6
      network_interfaces[].fqdn`,
  },
};

/** All names of a record, each with the names above it. */
function namesOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => namesOf(one, `${prefix}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    return [name, ...namesOf(inner, name)];
  });
}

describe.each(['vulns', 'assets'] as const)('the records of an export of %s', (kind) => {
  it('have the fields that Tenable was recorded with, and no others', async () => {
    const [always, sometimes] = [recorded[kind].always, recorded[kind].sometimes].map((text) =>
      text.split(/\s+/),
    );
    const filters = kind === 'vulns' ? { state: ['OPEN', 'REOPENED', 'FIXED'] } : {};
    const records = (await exportAll(kind, { chunk_size: 100, filters })).flat();
    const known = new Set([...(always ?? []), ...(sometimes ?? [])]);
    const seen = new Set<string>();
    for (const record of records) {
      const names = new Set(namesOf(record));
      for (const name of names) seen.add(name);
      const top = (always ?? []).filter((name) => !name.includes('.') && !name.includes('['));
      expect(top.filter((name) => !names.has(name))).toEqual([]);
    }
    expect([...seen].filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !seen.has(name))).toEqual([]);
  });
});

describe('requests', () => {
  it('need keys, and exports a role that may export', async () => {
    const wrong = await call('GET /scans', undefined, 'accessKey=a;secretKey=b');
    expect([wrong.status, wrong.body.error]).toEqual([401, 'Unauthorized']);
    const reader = await call('POST /vulns/export', {}, secrets['reader']);
    expect(reader.status).toBe(403);
    expect(reader.body).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'Insufficient scope',
    });
    const spaced = secrets['reader']?.replace(';', '; ') ?? '';
    expect((await call('GET /scans', undefined, `${spaced};`)).status).toBe(200);
  });

  it('are limited, with the time to wait', async () => {
    fake.limits.override = { requests: 1, seconds: 30 };
    await call('GET /scans');
    const limited = await call('GET /scans');
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '30']);
  });

  it('list scans and tags', async () => {
    const { scans } = (await call('GET /scans')).body as { scans: { id: number; name: string }[] };
    expect(scans.map(({ name }) => name)).toEqual(world.scans.map(({ name }) => name));
    const details = await call(`GET /scans/${scans[0]?.id}`);
    expect(details.body.info).toMatchObject({ hostcount: world.devices.length });
    expect(details.body.hosts).toHaveLength(world.devices.length);
    expect((await call(`GET /scans/${scans[0]?.id}/latest-status`)).body).toEqual({
      status: 'completed',
    });
    expect((await call('GET /scans/1')).body.error).toBe('The requested file was not found');
    const tags = await call('GET /tags/values?limit=2&offset=1');
    const sites = [...new Set(world.devices.map(({ site }) => site))].sort();
    const { values } = tags.body as { values: { value: string }[] };
    expect(values.map(({ value }) => value)).toEqual(sites.slice(1, 3));
    expect(tags.body.pagination).toEqual({ offset: 1, limit: 2, total: sites.length });
  });

  it('leave no violation, and reach every route', async () => {
    await exportAll('vulns', {});
    await exportAll('assets', { chunk_size: 100 });
    const { export_uuid } = (await call('POST /vulns/export', {})).body;
    for (const path of ['/vulns/export/status', '/scans', '/scans/7100', '/tags/values'])
      expect((await call(`GET ${path}`)).status).toBe(200);
    await call(`POST /vulns/export/${export_uuid}/cancel`);
    await call('GET /scans/7100/latest-status');
    await call('GET /assets/none');
    const [asset] = (await call('GET /assets')).body.assets as { id: string }[];
    const { asset_import_job_uuid: job } = (
      await call('POST /import/assets', {
        source: 'cmdb',
        assets: [{ ipv4: ['10.99.0.1'] }, { hostname: 'nothing that identifies' }],
      })
    ).body;
    now += 100;
    expect((await call(`GET /import/asset-jobs/${job}`)).body).toMatchObject({
      status: 'COMPLETE',
      uploaded_assets: 1,
      failed_assets: 1,
    });
    expect((await call('GET /import/asset-jobs')).body.asset_import_jobs).toHaveLength(1);
    const path = '/api/v3/assets';
    const created = await call(`POST ${path}/attributes`, { attributes: [{ name: 'Owner' }] });
    const [{ id }] = created.body.attributes;
    expect((await call(`GET ${path}/attributes`)).body).toEqual(created.body);
    await call(`PUT ${path}/${asset?.id}/attributes`, { attributes: [{ id, value: 'IT' }] });
    expect((await call(`GET ${path}/${asset?.id}/attributes`)).body).toEqual({
      attributes: [{ id, name: 'Owner', value: 'IT' }],
    });
    expect(fake.log.violations).toEqual([]);
    expect(document.routes.map(({ key }) => key).filter((key) => !fake.reached.has(key))).toEqual(
      [],
    );
  });
});
