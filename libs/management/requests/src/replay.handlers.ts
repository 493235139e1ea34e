import { Controller } from '@nestjs/common';
import { Bus, Handles, type ReplayedCall } from '#bus';
import { type Call, conflict, type OperationId, type Reply } from '#contract';
import { compileYaml, fault, ManagementContext } from '#management/core';
import { describeIntegration, ProviderCatalog } from '#management/integrations';
import { resolveMappings } from '#management/mappings';
import { compileProviders, isMockType } from '#provider-document';
import { type Reader, requestBodyQueries } from '#store';
import { findRequest } from './find-request.js';

/** `/v1/requests/…/replay`: runs a recorded call again in a connector. */
@Controller()
export class ReplayHandlers {
  constructor(
    private readonly context: ManagementContext,
    private readonly catalog: ProviderCatalog,
    private readonly bus: Bus,
  ) {}

  @Handles('requests_replay')
  async replay(call: Call<'requests_replay'>): Promise<Reply<'requests_replay'>> {
    const { deadline, signal, requestId, path } = call;
    const input = await this.context.read(call, (tx) =>
      this.describe(tx, path.requestId, call.body),
    );
    const domain = this.context.sealer.sealingDomain(input.integration.category);
    const options = { deadline, signal, requestId, domain };
    return { result: await this.bus.call('requests.replay', input, options) };
  }

  private async describe(
    tx: Reader,
    idOrRequestId: string,
    body: Call<'requests_replay'>['body'],
  ): Promise<ReplayedCall> {
    const { id, integrationId, operation } = await findRequest(tx, idOrRequestId);
    const bodies = await requestBodyQueries.find(tx, id);
    if (bodies === undefined)
      throw conflict(
        'the call has no recorded bodies',
        'Record those of its integration (PUT /v1/integrations/…/recording), and repeat the call.',
      );
    const integration = await tx.integrations.get(integrationId);
    return {
      operation: operation as OperationId,
      integration: await describeIntegration(
        tx,
        { context: this.context, catalog: this.catalog },
        integration,
      ),
      sealed: bodies.sealed,
      given: await given(tx, integration.providerType, body),
    };
  }
}

/** Reads the mappings and the document of a request. @throws ApiError 400 */
async function given(
  tx: Reader,
  type: string,
  { mappings, documents, provider_document: document }: Call<'requests_replay'>['body'],
): Promise<ReplayedCall['given']> {
  if (documents && !mappings)
    throw fault('/documents', 'is used by no mappings', { remediation: 'Name them in mappings.' });
  if (!mappings && !document)
    throw fault('', 'has neither mappings nor provider_document', {
      remediation: 'Give what the call is to be run with.',
    });
  if (document) checkDocument(type, document);
  return {
    ...(mappings && { mappings: await resolveMappings(tx, mappings, documents ?? {}) }),
    ...(document && { providerDocument: document }),
  };
}

/** @throws ApiError 400 unless the document describes the provider */
function checkDocument(type: string, document: string): void {
  const pointer = '/provider_document';
  const providers = compileYaml(() => compileProviders(document), pointer);
  const ids = providers.map(({ source }) => source.provider);
  if (isMockType(type))
    throw fault(pointer, `the call is one of the mock ${type}, which answers by its own document`, {
      remediation: 'Leave it out, or replay a call of an integration of the provider itself.',
    });
  if (!ids.includes(type))
    throw fault(pointer, `describes ${ids.join(', ')}, and the call is one of ${type}`, {
      remediation: `Give it the id ${type}.`,
    });
}
