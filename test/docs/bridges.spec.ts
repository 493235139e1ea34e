import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type AgentFile, readAgentFile } from '../../apps/bridge-agent/src/agent-file.js';
import { type Manifest, validateManifest } from '../tools/validate-manifest.js';

const page = readFileSync(new URL('../../../docs/bridges.md', import.meta.url), 'utf8');
const program = 'dist/apps/bridge-agent/src/main.js';

/** The blocks of YAML in the page, also those that are indented in a list. */
const blocks = [...page.matchAll(/^( *)```yaml\n([^]*?)^ *```/gm)].map(
  ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
);
const manifests = blocks
  .filter((text) => text.includes('apiVersion:'))
  .flatMap((text) => parseAllDocuments(text).map((one) => one.toJS() as Manifest));

async function read(text: string): Promise<AgentFile> {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-docs-'));
  try {
    writeFileSync(join(folder, 'bridge-agent.yaml'), text);
    return await readAgentFile(join(folder, 'bridge-agent.yaml'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('docs/bridges.md', () => {
  it('shows files that an agent accepts', async () => {
    const files = [
      ...blocks.filter((text) => text.startsWith('server:')),
      ...manifests.flatMap(({ data }) => data?.['bridge-agent.yaml'] ?? []),
    ];
    expect(files).toHaveLength(2);
    for (const text of files) expect((await read(text)).allow).not.toEqual([]);
    // Parts of a file: each is complete with what every file has.
    const parts = blocks.filter((text) => /^(secrets|vault):/.test(text));
    expect(parts).toHaveLength(2);
    for (const text of parts) {
      const whole = `server: https://a.example\nkey_file: k\nallow: []\n${text}`;
      expect((await read(whole)).secrets).toHaveLength(1);
    }
  });

  it('shows manifests that Kubernetes accepts, whose mounts fit the file', async () => {
    expect(manifests.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Secret', 'StatefulSet']);
    for (const one of manifests) expect(await validateManifest(one)).toEqual([]);
    const [configMap, , statefulSet] = manifests;
    const [container] = statefulSet?.spec.template?.spec.containers ?? [];
    const { volumeMounts = [], args = [] } = container as unknown as {
      volumeMounts: { name: string; mountPath: string }[];
      args: string[];
    };
    const pathOf = (name: string) => volumeMounts.find((one) => one.name === name)?.mountPath ?? '';
    expect(args).toEqual([program, `${pathOf('file')}/bridge-agent.yaml`]);
    const file = await read(configMap?.data?.['bridge-agent.yaml'] ?? '');
    expect(file.credential_file).toBe(`${pathOf('group')}/credential`);
    expect(file.key_file).toBe(`${pathOf('key')}/agent.key`);
  }, 120_000); // It loads the models of the Kubernetes API.

  it('names the program of the agent in the image', () => {
    expect(page.match(new RegExp(program, 'g'))).toHaveLength(2);
    const bundled = new URL('../../run/apps/bridge-agent/src/main.js', import.meta.url);
    expect(readFileSync(fileURLToPath(bundled), 'utf8')).toContain('import');
  });
});
