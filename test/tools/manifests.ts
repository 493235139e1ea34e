import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { Manifest, PodSpec } from './validate-manifest.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const tool = new URL('../../../tools/deploy/render.mjs', import.meta.url);
const { overlays, renderOverlay, whyNotRendered } = (await import(tool.href)) as {
  overlays: readonly string[];
  renderOverlay: (overlay: string) => string;
  whyNotRendered: () => string | undefined;
};
export { overlays };

/** Reads a file of the repository. */
export const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
/** Programs of others. */
export const foreign = ['nats', 'opentelemetry-collector'];

/** Groups tests of rendered overlays. Where nothing renders them they are skipped, with the reason. */
export function describeOverlays(title: string, tests: () => void): void {
  const reason = whyNotRendered();
  if (reason === undefined) describe(title, tests);
  else it.skip(`${title} (skipped: ${reason})`, () => undefined);
}

const rendered = new Map<string, Manifest[]>();

/** Returns the manifests of an overlay, as kubectl renders them. */
export function manifestsOf(overlay: string): Manifest[] {
  const known = rendered.get(overlay);
  if (known !== undefined) return known;
  const manifests = parseAllDocuments(renderOverlay(overlay)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
  rendered.set(overlay, manifests);
  return manifests;
}

export const ofKind = (manifests: Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));
export const nameOf = ({ metadata }: Manifest): string => metadata.name;
export const podOf = (manifest: Manifest): NonNullable<PodSpec['template']> =>
  manifest.spec.template as NonNullable<PodSpec['template']>;

export const workloadsOf = (manifests: Manifest[]) =>
  ofKind(manifests, 'Deployment', 'StatefulSet', 'Job');
export const isSelected = (labels: Record<string, string>, selector: Record<string, string> = {}) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);
/** The app of a Deployment or Job: `connector-edr` is a connector. */
export const appOf = (name: string) =>
  name === 'migrate' ? 'admin' : (/^connector/.exec(name)?.[0] ?? name);

/** The console is a process of its own in one overlay. */
export const hasConsole = (overlay: string) => overlay.endsWith('-with-console');
