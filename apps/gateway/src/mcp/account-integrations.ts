import type { Caller } from '#contract';
import { ApiError, badRequest, type McpUse, operationOf } from '#contract';
import type { Exchange } from '../exchange.js';
import type { OperationServer } from '../operation-server.js';
import { operationExchange } from './operation-exchange.js';
import { readSuccess } from './read-answer.js';
import { ownArguments } from './tools.js';

/** An integration that a token uses. */
export interface UsedIntegration {
  id: string;
  name: string;
  fullname: string;
  category: string;
  provider_type: string;
  provider_fullname: string;
}

/** Integrations that are offered by name; others are found by `integrations_list_account`. */
export const maxOffered = 100;

/** Looks up the integrations of the account that a token uses, as the token may see them. */
export class AccountIntegrations {
  /** @param caller may read the integrations of the account */
  constructor(
    private readonly server: OperationServer,
    private readonly exchange: Exchange,
    private readonly caller: Caller,
    private readonly use: McpUse,
  ) {}

  /** @throws ApiError */
  async list(): Promise<UsedIntegration[]> {
    const { accountId } = this.use;
    return await this.read<UsedIntegration[]>('integrations_list_account', {
      accountId,
      limit: maxOffered,
    });
  }

  /** Returns the operations that a provider serves. @throws ApiError */
  async served(providerId: string): Promise<ReadonlySet<string>> {
    const { operations } = await this.read<{
      operations?: { name: string; supported: boolean }[] | null;
    }>('capabilities_get_provider', { providerId, expand: ['operations'] });
    return new Set((operations ?? []).filter((one) => one.supported).map(({ name }) => name));
  }

  /** Finds the integration of a call: the one that it names, or the only one of the domain. @throws ApiError */
  async choose(given: unknown, category: string): Promise<UsedIntegration> {
    if (typeof given === 'string' && given !== '') {
      const { accountId } = this.use;
      const path = { accountId, integrationId: given };
      const found = await this.read<UsedIntegration>('integrations_get', path);
      if (found.category === category) return found;
      throw wrongChoice(
        `is an integration of ${found.category}, and the operation is of ${category}`,
      );
    }
    const all = (await this.list()).filter((one) => one.category === category);
    const [first] = all;
    if (first !== undefined && all.length === 1) return first;
    const ids = all.map(({ id, name }) => `${id} (${name})`).join(', ');
    if (first !== undefined) throw wrongChoice('is required', `Use one of ${ids}.`);
    throw new ApiError(404, `the account has no integration of ${category}`, {
      remediation: 'integrations_list_account lists those that there are.',
    });
  }

  private async read<T>(
    id: Parameters<typeof operationOf>[0],
    given: Record<string, unknown>,
  ): Promise<T> {
    const operation = operationOf(id);
    const { exchange, path } = await operationExchange(this.exchange, operation, given);
    const reply = await this.server.perform(exchange, operation, path, this.caller);
    return ((await readSuccess(reply)) as { result: T }).result;
  }
}

function wrongChoice(
  message: string,
  remediation = 'integrations_list_account lists those that there are.',
): ApiError {
  return badRequest({
    location: 'body',
    pointer: `/${ownArguments.integration}`,
    message,
    remediation,
  });
}
