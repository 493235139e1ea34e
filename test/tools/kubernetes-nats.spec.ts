import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { findNatsServer, TestAuthority } from '#test/harness';
import { describeOverlays, manifestsOf, nameOf, ofKind, podOf } from './manifests.js';
import type { Manifest } from './validate-manifest.js';

// The configuration of the component nats-cluster, with bus-tls, as its pods see it: files of the ConfigMap and of the Secrets.

const root = fileURLToPath(new URL('../../../', import.meta.url));
describeOverlays('the configuration of the cluster of NATS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-nats-cluster-'));
  const manifests = manifestsOf('small-with-nats-cluster');
  const [server] = ofKind(manifests, 'StatefulSet');
  const container = server && podOf(server).spec.containers[0];
  let routes = '';
  beforeAll(() => {
    const authority = new TestAuthority();
    const { certificate, key } = authority.issue('nats');
    const urls = ['postgres://o:1@db/onefold', 'postgres://s:2@db/onefold'];
    const printed = execFileSync(process.execPath, ['tools/deploy-secrets.mjs', ...urls], {
      cwd: root,
      encoding: 'utf8',
    });
    const secrets = parseAllDocuments(printed).map(
      (one) => one.toJS() as Manifest & { stringData: Record<string, string> },
    );
    const found = secrets.find((one) => nameOf(one) === 'onefold-nats-cluster');
    routes = found?.stringData['routes.conf'] ?? '';
    const files: Record<string, Record<string, string>> = {
      config: ofKind(manifests, 'ConfigMap').find((one) => nameOf(one).startsWith('onefold-nats'))
        ?.data as Record<string, string>,
      'nats-cluster': found?.stringData ?? {},
      'nats-tls': { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate },
    };
    authority.remove();
    for (const { name, mountPath } of container?.volumeMounts ?? []) {
      mkdirSync(join(folder, mountPath), { recursive: true });
      for (const [file, text] of Object.entries(files[name] ?? {}))
        // Paths of certificates are absolute.
        writeFileSync(
          join(folder, mountPath, file),
          text.replaceAll('/etc/nats-tls', join(folder, '/etc/nats-tls')),
        );
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is accepted by nats-server', async () => {
    const args = (container?.args ?? []).map((arg) =>
      arg.replace(
        /(^|=)(\/etc\/)/,
        (_, before: string, path: string) => before + join(folder, path),
      ),
    );
    const passwords = (container?.env ?? []).map(({ name }) => [name, 'password'] as const);
    const { status, stderr } = spawnSync(await findNatsServer(), ['-t', ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...Object.fromEntries(passwords) },
    });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining('configuration file') as unknown,
    });
    expect(passwords.map(([name]) => name)).toContain('POD_NAME');
  });

  it('names each server of the StatefulSet by its address, with one password for all', () => {
    const { replicas = 0, serviceName = '' } = server?.spec ?? {};
    const named = [...routes.matchAll(/"nats:\/\/server:(\w+)@([^"]+)"/g)];
    expect(named.map(([, , address]) => address)).toEqual(
      Array.from({ length: replicas }, (_, number) => `nats-${number}.${serviceName}:6222`),
    );
    const [password] = /password: (\w+)/.exec(routes)?.slice(1) ?? [];
    expect(new Set(named.map(([, one]) => one))).toEqual(new Set([password]));
    const service = ofKind(manifests, 'Service').find((one) => nameOf(one) === serviceName);
    expect(service?.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
  });

  it('has the cluster in the place of the single server, with a budget for disruptions', () => {
    expect(ofKind(manifests, 'Deployment').map(nameOf)).not.toContain('nats');
    expect(server?.spec.replicas).toBeGreaterThan(2);
    expect(ofKind(manifests, 'PodDisruptionBudget').map(nameOf)).toEqual(['nats']);
  });
});
