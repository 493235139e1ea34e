// Renders overlays by kubectl, which brings kustomize since 1.14 and one that knows components of today since 1.27.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../install.mjs';
import { keyServices } from './key-services.mjs';

export const overlays = [
  'small',
  'small-with-telemetry',
  'small-with-console',
  'small-with-tls',
  'small-with-gateway-api',
  'small-with-nats-cluster',
  ...Object.keys(keyServices).map((name) => `small-with-${name}`),
  'per-domain',
  'per-team',
];

/** True if there is a kubectl that renders these overlays as the committed ones were. */
export function canRender() {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], {
    encoding: 'utf8',
  });
  if (status !== 0) return false;
  const [major, minor] = JSON.parse(stdout)
    .clientVersion.gitVersion.slice(1)
    .split('.')
    .map(Number);
  return major > 1 || minor >= 27;
}

/** Returns the manifests of an overlay. @throws Error with what kubectl says */
export function renderOverlay(name) {
  const folder = join(root, 'deploy/kubernetes/overlays', name);
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  if (status !== 0) throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  return stdout;
}
