import type { Dispatcher } from 'undici';
import { systemClock } from '#config';
import { createDispatcher, EgressPolicy, type Pauses } from '#egress';
import type { ClientFunctions } from '#provider-document';
import type { OwnAwsKeys } from '#provider-http';
import { type Json, OverProvider } from '#apps/provider-kit';

/** The document of a vendor over a system on this machine that is reached by sockets, through the egress policy. */
export class OverSystem extends OverProvider {
  private readonly agent: Dispatcher;

  /**
   * @param type id of the provider
   * @param config `provider_config`, with the secrets of its credentials
   */
  constructor(
    folder: URL,
    type: string,
    config: Json,
    options: {
      functions?: ClientFunctions;
      /** Goes in front of the connections, such as one that leads another host to a receiver. */
      detour?: Dispatcher.DispatcherComposeInterceptor;
      /** Those by which roles are assumed. */
      ownAwsKeys?: OwnAwsKeys;
      strict?: boolean;
      pauses?: Pauses;
    } = {},
  ) {
    const { functions, detour, ownAwsKeys, strict, pauses } = options;
    const policy = new EgressPolicy(['127.0.0.1']);
    const agent = createDispatcher(policy);
    super({
      folder,
      type,
      functions,
      policy,
      ownAwsKeys,
      strict,
      pauses,
      clock: systemClock,
      dispatcher: detour === undefined ? agent : agent.compose(detour),
      callMs: 600_000, // Files of 5 GB take minutes; the specs have shorter timeouts of their own.
    });
    this.agent = agent;
    this.configure(config);
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  protected faultsOf(): string[] {
    return [];
  }
}
