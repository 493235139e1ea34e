import type { Clock } from '#config';
import type { Provider } from '#connect';
import type { CompiledProvider } from '#provider-document';
import type { Store } from '#store';
import type * as MockVendor from './mock-vendor.js';

/** Makes mocks of providers: their own documents over the fakes of their vendors, in this process. */
export class Mocks {
  private loading: Promise<typeof MockVendor> | undefined;
  private opened: MockVendor.OpenMocks | undefined;

  /**
   * @param store keeps what integrations of mocks have changed
   * @param scale how many times people, devices, findings, events and tickets of the company are there
   */
  constructor(
    private readonly store: Pick<Store, 'select' | 'write'>,
    private readonly clock: Clock,
    private readonly scale = 1,
  ) {}

  /**
   * Makes the mocks of a vendor's providers. The engine of fakes is loaded for the first.
   * @param folder has the vendor's `fake.yaml`
   * @throws Error when the fake is wrong, or has no credential that a provider takes
   */
  readonly make = async (
    compiled: readonly CompiledProvider[],
    folder: URL,
  ): Promise<readonly Provider[]> => {
    const { mockVendor, OpenMocks } = await (this.loading ??= import('./mock-vendor.js'));
    this.opened ??= new OpenMocks();
    return mockVendor(compiled, folder, {
      store: this.store,
      clock: this.clock,
      scale: this.scale,
      opened: this.opened,
    });
  };
}
