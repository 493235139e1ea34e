import {
  documentProvider,
  type Mapping,
  type Provider,
  type ProviderCall,
  type ProviderOperation,
} from '#connect';
import type { FakeDocument } from '#fakes';
import { type CompiledProvider, describeMock } from '#provider-document';
import { MockCall } from './mock-call.js';
import type { MockIntegrations } from './mock-integrations.js';

type Configuration = Readonly<Record<string, unknown>>;

/** Makes the mock of a provider: its operations are those of its document, and its calls go to the fake. */
export function mockProvider(
  compiled: CompiledProvider,
  fake: FakeDocument,
  integrations: MockIntegrations,
): Provider {
  const real = documentProvider(compiled);
  const { provider } = compiled.source;
  /** The configuration of the provider: what the fake needs, over it what the integration says. */
  const configurationOf = ({ type: _mock, dataset: _world, ...own }: Configuration) => ({
    ...fake.mock.configuration,
    ...own,
    type: provider,
  });
  const callOf = (call: ProviderCall) =>
    new MockCall(
      call,
      integrations.open(call.integration),
      configurationOf(call.integration.providerConfig),
    );
  const mapped = (mapping: Mapping): Mapping => {
    return (record, context) =>
      mapping(record, { ...context, config: configurationOf(context.config) });
  };
  const operationOf = (operation: ProviderOperation): ProviderOperation => {
    const { request, response } = operation;
    const current = operation.current?.bind(operation);
    const rehearse = operation.rehearse?.bind(operation);
    return {
      ...operation,
      ...(request && { request: mapped(request) }),
      ...(response && { response: mapped(response) }),
      ...(current && { current: (call) => current(callOf(call)) }),
      ...(rehearse && {
        rehearse: (call, body) => rehearse(callOf(call), body),
      }),
      run: (call, body) => operation.run(callOf(call), body),
    };
  };
  const verify = real.verify?.bind(real);
  return {
    ...describeMock(compiled),
    operations: Object.fromEntries(
      Object.entries(real.operations).map(([id, operation]) => [id, operationOf(operation)]),
    ),
    ...(verify && {
      verify: async (call) => {
        const { http, credentials } = integrations.openUnstored(call.integration);
        const providerConfig = configurationOf(call.integration.providerConfig);
        return await verify({
          ...call,
          http,
          integration: { ...call.integration, providerConfig },
          credential: (slot) => credentials.get(slot),
        });
      },
    }),
  };
}
