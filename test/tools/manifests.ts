import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { Manifest, PodSpec } from './validate-manifest.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Reads a file of the repository. */
export const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
/** Programs of others. */
export const foreign = ['nats', 'opentelemetry-collector'];

/** Returns the rendered manifests of an overlay. */
export function manifestsOf(overlay: string): Manifest[] {
  return parseAllDocuments(read(`deploy/kubernetes/rendered/${overlay}.yaml`)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
}

export const ofKind = (manifests: Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));
export const nameOf = ({ metadata }: Manifest): string => metadata.name;
export const podOf = (manifest: Manifest): NonNullable<PodSpec['template']> =>
  manifest.spec.template as NonNullable<PodSpec['template']>;

/** The overlays, whose rendered manifests are committed. */
export const overlays = [
  'small',
  'small-with-telemetry',
  'small-with-console',
  'small-with-tls',
  'small-with-gateway-api',
  'small-with-nats-cluster',
  'small-with-aws-kms',
  'small-with-azure-key-vault',
  'small-with-vault',
  'per-domain',
  'per-team',
] as const;

export const workloadsOf = (manifests: Manifest[]) =>
  ofKind(manifests, 'Deployment', 'StatefulSet', 'Job');
export const isSelected = (labels: Record<string, string>, selector: Record<string, string> = {}) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);
/** The app of a Deployment or Job: `connector-edr` is a connector. */
export const appOf = (name: string) =>
  name === 'migrate' ? 'admin' : (/^connector/.exec(name)?.[0] ?? name);

/** The console is a process of its own in one overlay. */
export const hasConsole = (overlay: string) => overlay.endsWith('-with-console');
