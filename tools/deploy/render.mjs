// Renders overlays by kubectl, which brings kustomize since 1.14 and one that knows components of today since 1.27.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../install.mjs';
import { keyServices } from './key-services.mjs';

export const overlays = [
  'small',
  'small-with-telemetry',
  'small-with-console',
  'small-with-mail',
  'small-with-tls',
  'small-with-gateway-api',
  'small-with-nats-cluster',
  ...Object.keys(keyServices).map((name) => `small-with-${name}`),
  'per-domain',
  'per-team',
];

/** Returns why overlays cannot be rendered here; undefined if they can be. */
export function whyNotRendered() {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], {
    encoding: 'utf8',
  });
  const version = status === 0 ? JSON.parse(stdout).clientVersion.gitVersion : undefined;
  const [major, minor] = version?.slice(1).split('.').map(Number) ?? [0, 0];
  if (major > 1 || minor >= 27) return undefined;
  return `overlays are rendered by kubectl 1.27 or newer, and here is ${version ?? 'none'}: install it and put it on the PATH`;
}

/** Returns the manifests of an overlay. @throws Error with what kubectl says */
export function renderOverlay(name) {
  const folder = join(root, 'deploy/kubernetes/overlays', name);
  const { error, status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  if (status !== 0)
    throw new Error(`kubectl kustomize ${folder}: ${error ? whyNotRendered() : stderr}`);
  return stdout;
}
