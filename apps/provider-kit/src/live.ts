import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { documentProvider } from '#connect';
import { schemaFaults } from '@onefold/mapping';
import { compileProviders } from '#provider-document';
import type { ProviderFolder } from './folders.js';
import { startSimulator } from './simulator.js';
import { type Live, planOf, readYaml, RecordFailed } from './plan.js';

/** Wait in seconds that is too long for every call. */
const longSeconds = 900;

/**
 * Reads a live system from a local file with `configuration`, and optionally `forbidden`, `lacking` and `scrub`.
 * @throws RecordFailed with everything that the document does not accept of the configuration
 */
export function liveOf(folder: ProviderFolder, file: string): Live {
  const providers = compileProviders(
    folder.readDocument(),
    (name) => folder.read(name),
    folder.functions,
  ).map(documentProvider);
  const types = providers.map(({ type }) => type).join(' or ');
  const example = `configuration: { type: ${types}, …, credential: { type: token, secret: … } }`;
  if (!existsSync(file))
    throw new RecordFailed(`${file}: the file does not exist; it must contain ${example}`);
  const live = readYaml(readFileSync(file, 'utf8'), file) as Partial<Live> | null;
  const { configuration } = live ?? {};
  if (typeof configuration !== 'object')
    throw new RecordFailed(
      `${file} has no configuration: the provider_config to record with, such as ${example}`,
    );
  const provider = providers.find(({ type }) => type === configuration['type']) ?? providers[0];
  const faults = schemaFaults(provider?.configuration ?? {}, configuration);
  if (faults.length > 0)
    throw new RecordFailed(
      faults
        .map(({ path, message }) => `${file}: ${['configuration', ...path].join('.')} ${message}`)
        .join('\n'),
    );
  return { ...live, configuration };
}

/** Starts the provider's simulator, configured as in its walk. */
export async function simulated(
  folder: ProviderFolder,
): Promise<{ live: Live; stop: () => Promise<void> }> {
  const simulator = folder.has('walk.yaml') ? await startSimulator(folder.name) : undefined;
  if (simulator === undefined)
    throw new RecordFailed(
      `${folder.name} has no simulator (test/simulators/${folder.name} and walk.yaml); record from the live system with --config FILE`,
    );
  const { configuration } = parse(folder.read('walk.yaml')) as { configuration: object };
  return {
    live: {
      configuration: { ...configuration, url: simulator.url },
      forbidden: planOf(folder).forbidden,
      fail: (status) =>
        simulator.fault(
          status === 429
            ? { kind: 'rate_limit', seconds: longSeconds }
            : { kind: 'status', status },
        ),
    },
    stop: () => simulator.stop(),
  };
}
