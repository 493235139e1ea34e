import type { Bus, ResolvedIntegration, Verification } from '#bus';
import { ApiError, type Call, type Reply } from '#contract';
import { type ManagementContext, messagesOf, type Note } from '#management/core';
import type { Credential, Integration, Transaction } from '#store';
import { nothingTried, recordsNotChecked, unknownFields } from './integration-notes.js';
import { scheduleNotes } from './integration-schedules.js';
import type { ProviderCatalog } from './provider-catalog.js';
import { describeIntegration, markUnsaved } from './resolve-integration.js';

interface Parts {
  context: ManagementContext;
  catalog: ProviderCatalog;
  bus: Bus;
}

type VerifyCall = Pick<Call, 'caller' | 'operation' | 'deadline' | 'signal' | 'requestId'>;

/**
 * Makes an integration in a transaction that is rolled back, and calls its provider.
 * @throws ApiError 400 with the missing parts
 */
export async function verifyInDryRun(
  { context, catalog, bus }: Parts,
  call: VerifyCall,
  make: (tx: Transaction) => Promise<{
    integration: Integration;
    created: readonly Credential[];
    /** JSON Pointers of fields that are not stored. */
    dropped: readonly string[];
  }>,
): Promise<Reply<'integrations_verify'>> {
  let tried: { integration: ResolvedIntegration; notes: Note[] } | undefined;
  await runInDryRun(context, call, async (tx) => {
    const made = await make(tx);
    tried = {
      integration: markUnsaved(
        await describeIntegration(tx, { context, catalog }, made.integration),
        made.created,
      ),
      notes: [...unknownFields(made.dropped), ...(await scheduleNotes(tx, made.integration))],
    };
  });
  if (tried === undefined) return {};
  const { integration, notes } = tried;
  const { isTried, unchecked, invalid, checks } = await callProvider(
    bus,
    call,
    integration,
    context.sealer.sealingDomain(integration.category),
  );
  if (invalid !== undefined)
    throw new ApiError(502, invalid, {
      remediation:
        'Correct the mapping, or the provider document; POST /v1/mappings/apply runs a mapping on an example.',
    });
  if (unchecked !== undefined) notes.unshift(recordsNotChecked(unchecked));
  if (!isTried) notes.unshift(nothingTried(integration.providerType));
  return { ...messagesOf(notes, context.now()), ...(checks && { checks: [...checks] }) };
}

async function callProvider(
  bus: Bus,
  { deadline, signal, requestId }: VerifyCall,
  integration: ResolvedIntegration,
  domain: string | undefined,
): Promise<Verification> {
  try {
    const options = { deadline, signal, requestId, domain };
    return await bus.call('integrations.verify', integration, options);
  } catch (error) {
    // A refusal of the provider is a fault of the configuration in the request.
    if (!(error instanceof ApiError) || ![502, 504].includes(error.status)) throw error;
    const { kind: _ofTheFailure, ...options } = error.options;
    throw new ApiError(400, error.message, { ...options, cause: error });
  }
}

/** Runs work in a transaction that is rolled back. */
async function runInDryRun(
  context: ManagementContext,
  call: VerifyCall,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const undone = Symbol('undone');
  try {
    await context.write(call, async (tx) => {
      await work(tx);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
}
