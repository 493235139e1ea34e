import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import {
  appOf,
  describeOverlays,
  foreign,
  hasConsole,
  isSelected,
  manifestsOf,
  nameOf,
  ofKind,
  overlays,
  podOf,
  read,
  workloadsOf,
} from './manifests.js';
import { type Manifest, validateManifest } from './validate-manifest.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The variables of each process, by the generated page. */
const settings = Object.fromEntries(
  read('docs/configuration.md')
    .split('\n## ')
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, variable]) => variable),
    ]),
);

it('the files of deploy/kubernetes are those that the tool writes', () => {
  const { status, stderr } = spawnSync(process.execPath, [`${root}tools/deploy.mjs`, '--check'], {
    encoding: 'utf8',
    cwd: root,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

/** The host that clients use, by the settings. */
function publicHost(manifests: Manifest[]): string {
  const map = ofKind(manifests, 'ConfigMap').find((one) =>
    nameOf(one).startsWith('onefold-settings'),
  );
  expect(map?.data).toMatchObject({ PROXY_HOPS: '1' });
  return new URL(map?.data?.['PUBLIC_URL'] ?? '').hostname;
}

describeOverlays('what kubectl renders', () => {
  it('refuses manifests with fields that are unknown, missing or of another type', async () => {
    const [account, deployment] = ['ServiceAccount', 'Deployment'].map((kind) =>
      JSON.stringify(ofKind(manifestsOf('small'), kind)[0]),
    ) as [string, string];
    const refused = async (text: string) => await validateManifest(JSON.parse(text) as Manifest);
    expect(await refused(account.replace('automount', 'automounts'))).toEqual([
      'unknown field ServiceAccount.automountsServiceAccountToken',
    ]);
    expect(await refused(deployment.replace('"containers"', '"container"'))).not.toEqual([]);
    expect(
      await refused(deployment.replace(/"containerPort":\d+/, '"containerPort":"x"')),
    ).not.toEqual([]);
    expect(await refused(deployment.replace('"Deployment"', '"Deploiment"'))).not.toEqual([]);
  });

  describe.each(overlays)('the rendered overlay %s', (overlay) => {
    const manifests = manifestsOf(overlay);
    const workloads = workloadsOf(manifests);

    it.each(manifests.map((one) => [`${one.kind} ${nameOf(one)}`, one] as const))(
      'has a valid %s',
      async (_name, manifest) => {
        expect(await validateManifest(manifest)).toEqual([]);
      },
    );

    it('has a Deployment for every process of the code', () => {
      const inOther = [
        'standalone',
        'provider-kit',
        'admin',
        'bridge-agent',
        ...(hasConsole(overlay) ? [] : ['console']), // the gateway may serve it
      ];
      const processes = readdirSync(`${root}apps`).filter(
        (app) => existsSync(`${root}apps/${app}/src/main.ts`) && !inOther.includes(app),
      );
      const started = ofKind(manifests, 'Deployment').flatMap((one) =>
        podOf(one).spec.containers.map(({ args }) => args?.[0]),
      );
      for (const app of processes) expect(started).toContain(`dist/apps/${app}/src/main.js`);
      for (const program of started)
        if (program !== '--config')
          expect(processes.map((app) => `dist/apps/${app}/src/main.js`)).toContain(program);
    });

    it('selects pods that exist', () => {
      const pods = workloads.map((one) => podOf(one).metadata.labels);
      const selectors = [
        ...ofKind(manifests, 'Deployment', 'StatefulSet', 'PodDisruptionBudget').map(
          ({ spec }) => spec.selector?.matchLabels,
        ),
        ...ofKind(manifests, 'Service').map(({ spec }) => spec.selector as Record<string, string>),
        ...ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec.podSelector?.matchLabels),
      ];
      expect(selectors.length).toBeGreaterThan(8);
      for (const selector of selectors) {
        expect(Object.keys(selector ?? {})).not.toEqual([]);
        expect(pods.filter((labels) => isSelected(labels, selector))).not.toEqual([]);
      }
      for (const one of ofKind(manifests, 'Deployment', 'StatefulSet'))
        expect(pods.filter((labels) => isSelected(labels, one.spec.selector?.matchLabels))).toEqual(
          [podOf(one).metadata.labels],
        );
      for (const { spec } of ofKind(manifests, 'HorizontalPodAutoscaler'))
        expect(workloads.map(nameOf)).toContain(spec.scaleTargetRef?.name);
    });

    it('names accounts, ports, volumes and configuration that exist', () => {
      const accounts = ofKind(manifests, 'ServiceAccount').map(nameOf);
      const maps = ofKind(manifests, 'ConfigMap').map(nameOf);
      for (const { spec } of workloads.map(podOf)) {
        expect(accounts).toContain(spec.serviceAccountName);
        const volumes = (spec.volumes ?? []).map(({ name }) => name);
        for (const { configMap } of spec.volumes ?? [])
          if (configMap) expect(maps).toContain(configMap.name);
        for (const container of spec.containers) {
          const ports = (container.ports ?? []).map(({ name }) => name);
          const probes = [
            container.startupProbe,
            container.livenessProbe,
            container.readinessProbe,
          ].filter((probe) => probe !== undefined);
          for (const { httpGet } of probes) expect(ports).toContain(httpGet.port);
          for (const { name } of container.volumeMounts ?? []) expect(volumes).toContain(name);
          for (const { valueFrom } of container.env ?? [])
            if (valueFrom?.configMapKeyRef) expect(maps).toContain(valueFrom.configMapKeyRef.name);
        }
      }
      for (const { spec } of ofKind(manifests, 'StatefulSet'))
        expect(ofKind(manifests, 'Service').map(nameOf)).toContain(spec.serviceName);
      for (const { spec } of ofKind(manifests, 'Service'))
        for (const { targetPort } of spec.ports ?? [])
          expect(
            workloads
              .filter((one) => isSelected(podOf(one).metadata.labels, spec.selector as never))
              .flatMap((one) => podOf(one).spec.containers)
              .flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
          ).toContain(targetPort);
    });

    it('sets variables that the process has, and gives no pod a token of Kubernetes', () => {
      for (const one of workloads) {
        const { spec } = podOf(one);
        expect(spec.automountServiceAccountToken).toBe(false);
        if (foreign.includes(nameOf(one))) continue;
        // The last one is Node's own.
        const known = [...(settings[appOf(nameOf(one))] ?? []), 'NODE_EXTRA_CA_CERTS'];
        for (const { env = [] } of spec.containers)
          for (const { name } of env)
            expect({ of: nameOf(one), known }).toEqual({
              of: nameOf(one),
              known: expect.arrayContaining([name]),
            });
      }
      const all = Object.values(settings).flat();
      const map = ofKind(manifests, 'ConfigMap').find((one) =>
        nameOf(one).startsWith('onefold-settings'),
      );
      for (const variable of Object.keys(map?.data ?? { missing: '' }))
        expect(all).toContain(variable);
    });

    it('runs as nobody, in a file system that cannot be written, with limits', () => {
      for (const one of workloads) {
        const { spec } = podOf(one);
        expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
        for (const { securityContext, resources } of spec.containers) {
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          expect(resources).toMatchObject({
            requests: { cpu: expect.any(String), memory: expect.any(String) },
            limits: { memory: expect.any(String) },
          });
        }
      }
    });
  });

  it('the Secrets that the tool prints are those that the manifests name', async () => {
    const { stdout } = spawnSync(
      process.execPath,
      [`${root}tools/deploy-secrets.mjs`, 'postgres://o:1@db/onefold', 'postgres://s:2@db/onefold'],
      { encoding: 'utf8', cwd: root },
    );
    const printed = parseAllDocuments(stdout).map(
      (one) => one.toJS() as Manifest & { stringData: Record<string, string> },
    );
    const fields = printed.flatMap((one) =>
      Object.keys(one.stringData).map((key) => `${nameOf(one)} ${key}`),
    );
    for (const one of printed) expect(await validateManifest(one)).toEqual([]);
    const manifests = overlays.flatMap((overlay) => workloadsOf(manifestsOf(overlay)));
    // The Secrets of the collector and of the mail server have addresses of the operator's.
    const ours = manifests.filter((one) => nameOf(one) !== 'opentelemetry-collector');
    const named = ours.flatMap((one) =>
      podOf(one).spec.containers.flatMap(({ env = [] }) =>
        env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
      ),
    );
    expect(named.map(({ name }) => name)).toContain('onefold-mail');
    expect(
      [
        ...new Set([
          ...named
            .filter(({ name }) => name !== 'onefold-mail')
            .map(({ name, key }) => `${name} ${key}`),
          'onefold-key key-encryption.key',
          'onefold-nats-cluster routes.conf',
        ]),
      ].sort(),
    ).toEqual(fields.sort());
    const volumes = manifests.flatMap((one) => podOf(one).spec.volumes ?? []);
    // docs/operations.md says how the key of the bus is made for teams; the certificate of NATS is of the operator's authority.
    const ofOperator = [
      'onefold-bus-key',
      'onefold-nats-tls',
      'onefold-postgres-ca',
      'onefold-vault',
    ];
    for (const { secret } of volumes)
      if (secret)
        expect(['onefold-key', 'onefold-nats-cluster', ...ofOperator]).toContain(secret.secretName);
  });

  it('the Job that prints a token is valid, and is the one that migrates but for its name and command', async () => {
    const [job] = parseAllDocuments(read('deploy/kubernetes/token.yaml')).map(
      (one) => one.toJS() as Manifest,
    );
    expect(job && (await validateManifest(job))).toEqual([]);
    const migrate = ofKind(manifestsOf('small'), 'Job')[0];
    const asMigrate = JSON.stringify(job?.spec).replace('"token"', '"migrate"');
    expect(JSON.parse(asMigrate)).toEqual(migrate?.spec);
  });

  it('the Ingress leads to a port of the Service, with TLS for the host that clients use', () => {
    const manifests = manifestsOf('small-with-tls');
    const [ingress] = ofKind(manifests, 'Ingress');
    const host = publicHost(manifests);
    expect(ingress?.spec.tls).toEqual([{ hosts: [host], secretName: 'onefold-tls' }]);
    const [rule] = ingress?.spec.rules ?? [];
    expect(rule?.host).toBe(host);
    const target = rule?.http?.paths[0]?.backend.service;
    const service = ofKind(manifests, 'Service').find((one) => nameOf(one) === target?.name);
    expect(service?.spec.ports?.map(({ name }) => name)).toContain(target?.port.name);
  });

  it('the routes of Gateway API belong to listeners of the Gateway and lead to a port of the Service', () => {
    const manifests = manifestsOf('small-with-gateway-api');
    const host = publicHost(manifests);
    const [gateway] = ofKind(manifests, 'Gateway');
    const listeners = gateway?.spec.listeners ?? [];
    expect(listeners.map(({ hostname }) => hostname)).toEqual([host, host]);
    const routes = ofKind(manifests, 'HTTPRoute');
    expect(routes.map(({ spec }) => spec.parentRefs?.[0]?.sectionName).sort()).toEqual(
      listeners.map(({ name }) => name).sort(),
    );
    for (const { spec } of routes) {
      expect(spec.hostnames).toEqual([host]);
      expect(spec.parentRefs?.[0]?.name).toBe(gateway && nameOf(gateway));
    }
    const [target, ...others] = routes.flatMap(({ spec }) => spec.rules?.[0]?.backendRefs ?? []);
    const service = ofKind(manifests, 'Service').find((one) => nameOf(one) === target?.name);
    expect(service?.spec.ports?.map(({ port }) => port)).toContain(target?.port);
    expect(others).toEqual([]);
  });

  it('refuses fields that Gateway API does not have, and kinds without a schema', async () => {
    const [route] = ofKind(manifestsOf('small-with-gateway-api'), 'HTTPRoute');
    const text = JSON.stringify(route);
    const refused = async (changed: string) =>
      await validateManifest(JSON.parse(changed) as Manifest);
    expect(await refused(text.replace('parentRefs', 'parents'))).toEqual([
      expect.stringContaining('must NOT have additional properties'),
    ]);
    expect(await refused(text.replace('"PathPrefix"', '"Beginning"'))).not.toEqual([]);
    expect(await refused(text.replace('"HTTPRoute"', '"HTTPRout"'))).toEqual([
      'there is no kind HTTPRout in gateway.networking.k8s.io/v1',
    ]);
  });

  it('with bus-tls every process that logs on to NATS requires TLS, of the authority that NATS has a certificate of', () => {
    const manifests = manifestsOf('small-with-tls');
    const deployments = ofKind(manifests, 'Deployment');
    const map = ofKind(manifests, 'ConfigMap').find((one) =>
      nameOf(one).startsWith('onefold-settings'),
    );
    expect(map?.data?.['NATS_URL']).toBe('tls://nats:4222');
    const loggingOn = deployments.filter((one) => nameOf(one) !== 'nats');
    expect(loggingOn.length).toBe(4);
    for (const one of loggingOn) {
      const [container] = podOf(one).spec.containers;
      expect(container?.env).toContainEqual({
        name: 'NATS_CA_FILE',
        value: '/etc/nats-tls/ca.crt',
      });
      expect(container?.volumeMounts).toContainEqual(
        expect.objectContaining({ name: 'nats-tls', mountPath: '/etc/nats-tls' }),
      );
    }
    const nats = deployments.find((one) => nameOf(one) === 'nats');
    expect(nats && podOf(nats).spec.containers[0]?.volumeMounts).toContainEqual(
      expect.objectContaining({ name: 'nats-tls', mountPath: '/etc/nats-tls' }),
    );
    const files = ofKind(manifests, 'ConfigMap').find((one) =>
      nameOf(one).startsWith('onefold-nats-'),
    )?.data;
    expect(files?.['nats.conf']).toContain('include "tls.conf"');
    expect(files?.['tls.conf']).toContain('cert_file: "/etc/nats-tls/tls.crt"');
  });
});
