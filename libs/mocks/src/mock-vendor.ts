import type { Provider } from '#connect';
import { type FakeDocument, readFakeFile } from '#fakes';
import { MappingError } from '@onefold/mapping';
import type { CompiledProvider } from '#provider-document';
import { MockIntegrations, type MockParts } from './mock-integrations.js';
import { mockProvider } from './mock-provider.js';

export { OpenMocks } from './mock-integrations.js';

/** Makes the mocks of a vendor's providers, which share its fake. @throws Error that names the file and every fault of it */
export function mockVendor(
  compiled: readonly CompiledProvider[],
  folder: URL,
  parts: MockParts,
): Provider[] {
  const fake = read(new URL('fake.yaml', folder));
  return compiled.map((one) => mockProvider(one, fake, new MockIntegrations(one, fake, parts)));
}

function read(file: URL): FakeDocument {
  try {
    return readFakeFile(file);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new Error(`${file.pathname}: ${error.message}`, { cause: error });
  }
}
