import type { CompiledProvider } from './compiled-provider.js';
import { describeProvider, type ProviderDescription } from './describe-provider.js';
import { domainOf, type Manifest } from './manifest.js';

/** The company that an integration of a mock is filled with, which is the default, or nothing. */
export const mockDatasets = ['basic_v0', 'empty_v0'] as const;

const suffix = '_mock';

/** True for the providers of our made-up vendors, which have no system behind them: `<domain>_mock_<domain>`. */
export function isMadeUp(type: string): boolean {
  const domain = domainOf(type);
  return type === `${domain}_mock_${domain}`;
}

/** The id of the mock of a provider. */
export function mockType(type: string): string {
  return isMadeUp(type) ? type : `${type}${suffix}`;
}

/** True for an id that only mocks have. */
export function isMockType(type: string): boolean {
  return isMadeUp(type) || type.endsWith(suffix);
}

/** The manifest of a provider's mock, which needs no credential of the provider. */
export function mockManifest({
  proof: _proof,
  setup: _setup,
  authorization: _oauth,
  ...manifest
}: Manifest): Manifest {
  if (isMadeUp(manifest.type)) return manifest;
  const { type, fullname } = manifest;
  return {
    ...manifest,
    type: mockType(type),
    fullname: `${fullname} (mock)`,
    description: `${fullname} without a network: its provider document over a fake of the vendor, for demonstrations and tests`,
  };
}

/** Describes the mock of a provider: its operations are the provider's, its configuration has neither address nor credential. */
export function describeMock(compiled: CompiledProvider): ProviderDescription {
  const described = describeProvider(compiled);
  const { type, manifest } = described;
  delete described.addresses;
  return {
    ...described,
    type: mockType(type),
    manifest: mockManifest(manifest),
    configuration: configurationSchema(compiled),
  };
}

/** JSON Schema of the configuration: a made-up vendor has a configuration of its own. */
function configurationSchema({ source }: CompiledProvider): Record<string, unknown> {
  const { provider, configuration } = source;
  const { properties = {}, required = [] } = (isMadeUp(provider) ? (configuration ?? {}) : {}) as {
    properties?: object;
    required?: string[];
  };
  return {
    type: 'object',
    properties: {
      type: { type: 'string', const: mockType(provider) },
      dataset: {
        type: ['string', 'null'],
        enum: [...mockDatasets, null],
        'x-enum-labels': { basic_v0: 'The demonstration company', empty_v0: 'Nothing' },
        default: mockDatasets[0],
        description:
          'What the integration has when it is new: the demonstration company, or nothing.',
      },
      ...properties,
    },
    required: ['type', ...required],
  };
}
