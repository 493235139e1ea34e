import type { ResolvedIntegration } from '#bus';
import { type Clock, systemClock } from '#config';
import type { Misfit, OperationId } from '#contract';
import type { Value } from '@onefold/mapping';
import { type DriftKind, maxDriftOfIntegration, type ReportedDrift } from '#store';
import type { ProviderRecord } from '../provider-record.js';
import { KnownFields, type ResponseFields } from './known-fields.js';
import { readNoticeHeaders, readWarningCodes } from './response-notices.js';
import { findUnknown } from './unknown-values.js';

/** Subject of a finding: names of fields, codes, dates and pages of the vendor, and never values of customers. */
export type DriftSubject = Pick<ReportedDrift, 'path' | 'date' | 'link' | 'code'>;

export const driftLimits = {
  maxOfIntegration: maxDriftOfIntegration,
  /** Findings that wait for the database. Further ones are counted and not listed. */
  maxWaiting: 1_000,
  /** Findings that are remembered, so that each is written once in a while only. */
  maxRemembered: 10_000,
  rewriteMs: 10 * 60_000,
} as const;

/** The label of the metric for providers that are documents of customers: their ids are not known in advance. */
const customProvider = 'custom';

/** Counts what shows that vendors change their APIs, and keeps findings for the status of the integration that met them. */
export class Drift {
  private readonly fields = new KnownFields();
  private readonly remembered = new Map<string, number>();
  private waiting: ReportedDrift[] = [];

  /** @param count called for everything that is found; its values are few */
  constructor(
    private readonly count: (provider: string, kind: DriftKind) => void = () => undefined,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  /** @param shown removes secrets from a text of the provider */
  ofCall(
    integration: ResolvedIntegration,
    operation: OperationId,
    shown: (text: string) => string = (text) => text,
  ): CallDrift {
    const { id, providerType, providerDocument } = integration;
    const isCustom = providerDocument !== undefined;
    // Documents of customers may have the same id, so what is known of their fields is the integration's.
    const key = `${isCustom ? id : providerType} ${operation}`;
    const provider = isCustom ? customProvider : providerType;
    return new CallDrift(
      operation,
      (kind) => this.count(provider, kind),
      (kind, subject) => {
        const texts = Object.entries(subject).map(([name, text]) => [name, shown(text)]);
        const hidden = Object.fromEntries(texts) as DriftSubject;
        this.find({ integrationId: id, operation, kind, ...hidden });
      },
      () => this.fields.ofResponse(key, id),
    );
  }

  /** Takes the findings since the last time. */
  take(): ReportedDrift[] {
    const taken = this.waiting;
    this.waiting = [];
    return taken;
  }

  /** Takes back findings that could not be written. */
  putBack(found: readonly ReportedDrift[]): void {
    this.waiting = [...found, ...this.waiting].slice(0, driftLimits.maxWaiting);
  }

  private find(found: Omit<ReportedDrift, 'at'>): void {
    const key = Object.values(found).join('\n');
    const at = this.clock.now();
    const last = this.remembered.get(key);
    if (last !== undefined && at - last < driftLimits.rewriteMs) return;
    if (this.waiting.length >= driftLimits.maxWaiting) return;
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined && this.remembered.size >= driftLimits.maxRemembered)
      this.remembered.delete(oldest);
    this.remembered.delete(key); // Behind the others, because it is the newest now.
    this.remembered.set(key, at);
    this.waiting.push({ ...found, at });
  }
}

/** Notes what one call shows. */
export class CallDrift {
  private fields: ResponseFields | undefined;

  constructor(
    private readonly operation: OperationId,
    private readonly count: (kind: DriftKind) => void,
    private readonly find: (kind: DriftKind, subject: DriftSubject) => void,
    private readonly openFields: () => ResponseFields,
  ) {}

  /** Notes the notices of a response. @param warnings what the document's expression found */
  noteResponse(headers: Readonly<Record<string, string>>, warnings: Value): void {
    const found = readNoticeHeaders(headers);
    if (warnings !== undefined && warnings !== null) found.push(...readWarningCodes(warnings));
    for (const { kind, ...subject } of found) this.note(kind, subject);
  }

  /** Notes a failure that no rule describes. @param code its status, or the key of the document that does not fit the response */
  noteUnmatchedError(code: string): void {
    this.note('unmatched_error', { code });
  }

  /** Looks at a record before and after its mapping. */
  look(providerRecord: ProviderRecord, record: ProviderRecord | undefined): void {
    const fields = (this.fields ??= this.openFields());
    for (const path of fields.findNew(providerRecord)) this.note('new_field', { path });
    const unknown = record === undefined ? [] : findUnknown(this.operation, record);
    if (unknown.length === 0) return;
    this.count('unknown_value');
    for (const path of unknown)
      if (fields.isNewlyUnknown(path)) this.find('unknown_value', { path });
  }

  /** Notes values of a record that moved to its `unmapped` because the contract does not enumerate them. */
  noteMisfits(misfits: readonly Misfit[]): void {
    const unknown = misfits.filter(({ isUnknown }) => isUnknown);
    if (unknown.length === 0) return;
    this.count('unknown_value');
    for (const { pointer } of unknown)
      this.find('unknown_value', {
        path: pointer
          .slice(1)
          .replaceAll(/\/\d+(?=\/|$)/g, '[]')
          .replaceAll('/', '.'),
      });
  }

  private note(kind: DriftKind, subject: DriftSubject): void {
    this.count(kind);
    this.find(kind, subject);
  }
}
