import { existsSync, readFileSync } from 'node:fs';
import { documentProvider } from '#connect';
import { schemaFaults } from '@onefold/mapping';
import { compileProviders } from '#provider-document';
import { startFake } from './fake.js';
import { configurationOver, otherPrincipals } from './fake-configuration.js';
import type { ProviderFolder } from './folders.js';
import { type Live, readYaml, RecordFailed } from './plan.js';

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

/** Starts the provider's fake, which refuses with 403 what its other principals may not do. */
export async function startLiveFake(
  folder: ProviderFolder,
): Promise<{ live: Live; stop: () => Promise<void> }> {
  if (!folder.has('fake.yaml'))
    throw new RecordFailed(
      `${folder.name} has no fake.yaml; record from the live system with --config FILE`,
    );
  const fake = await startFake(folder, { port: 0, dataset: 'BASIC', scale: 1 });
  const [other] = otherPrincipals(fake.engine);
  const fail = (status: number): void =>
    fake.engine.faults.add(
      status === 429 ? { kind: 'limited', seconds: longSeconds } : { kind: 'status', status },
    );
  return {
    live: {
      configuration: configurationOver(folder, fake),
      ...(other === undefined
        ? {}
        : { forbidden: secretsOf(configurationOver(folder, fake, other)) }),
      fail: (status) => Promise.resolve(fail(status)),
    },
    stop: fake.stop,
  };
}

/** The parts of the credential of a configuration. */
function secretsOf(configuration: Record<string, unknown>): Record<string, string> {
  const credential = Object.values(configuration).find(
    (value) => typeof value === 'object' && value !== null && 'type' in value,
  );
  const { type: _type, ...secrets } = (credential ?? {}) as Record<string, string>;
  return secrets;
}
