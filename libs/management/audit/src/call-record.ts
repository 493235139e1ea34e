import { type Call, type Operation, operationOf } from '#contract';
import type { EventDetails, SecurityEvent } from '#management/shared';
import { maskTokens } from '#secrets';
import type { SeenRecord } from '#store';
import { type AuditEntry, outcomeOf } from './audit-entry.js';
import { redactBody } from './redact.js';

const longestMessage = 500;

/** Which records an entry is about. */
type Subject = Pick<
  AuditEntry,
  'account_id' | 'integration_id' | 'bridge_group_id' | 'environment'
>;

/** A call on its way to the trail: what it was asked, which records it met, what happened in it. */
export class CallRecord {
  readonly operation: Operation;
  /** Unknown at first where nobody is known to call. */
  organizationId: string | undefined;
  /** The status that is in the trail already. */
  recorded: number | undefined;
  private readonly events: AuditEntry[] = [];
  private readonly keys: ReadonlySet<string>;
  private readonly found: Subject = {};
  private readonly made: Subject = {};

  constructor(private readonly call: Call) {
    this.operation = operationOf(call.operation);
    const caller = call.caller as Call['caller'] | null;
    this.organizationId = caller?.organizationId;
    this.keys = new Set(Object.values(call.path));
  }

  /** Of the records a call meets, those it names in its path and those it makes say what it is about. */
  saw({ resource, key, row }: SeenRecord): void {
    if (key !== undefined && !this.keys.has(key)) return;
    const subject = key === undefined ? this.made : this.found;
    const text = (name: string) => (typeof row[name] === 'string' ? row[name] : undefined);
    if (resource === 'account') {
      subject.account_id = text('id');
      subject.environment = text('environment');
    } else subject.account_id ??= text('accountId');
    if (resource === 'integration') subject.integration_id = text('id');
    else if (text('ownerType') === 'integration') subject.integration_id ??= text('ownerId');
    if (resource === 'bridge') subject.bridge_group_id = text('id');
  }

  event(name: SecurityEvent, details: EventDetails): void {
    this.organizationId ??= details.organizationId;
    const { memberId, accountId, integrationId, bridgeGroupId, message, data } = details;
    this.events.push({
      ...this.base(),
      audit_type: 'ALARM',
      code: name,
      status: name === 'secret_read' ? 'succeeded' : 'refused',
      response: message,
      body: data,
      member_id: memberId ?? this.memberId,
      account_id: accountId,
      integration_id: integrationId,
      bridge_group_id: bridgeGroupId,
    });
  }

  /** What the trail lacks of this call, once it ends with the status. */
  entries(status: number, message?: string): AuditEntry[] {
    // What a call that failed has made is undone.
    const about = { ...(status < 400 ? defined(this.made) : {}), ...defined(this.found) };
    const own: AuditEntry = {
      ...this.base(),
      ...outcomeOf(status),
      ...about,
      body: redactBody(this.operation, this.bodyOf()),
      response: message === undefined ? undefined : maskTokens(message).slice(0, longestMessage),
      member_id: this.memberId,
    };
    const events = this.events.map((event) => ({ ...about, ...defined(event) }));
    return this.recorded === status ? events : [...events, own];
  }

  /** True while the trail lacks something of a call that ends with the status. */
  lacks(status: number): boolean {
    return this.recorded !== status || this.events.length > 0;
  }

  /** What was added is committed. */
  settled(status: number, events: number): void {
    this.recorded = status;
    this.events.splice(0, events);
  }

  get pendingEvents(): number {
    return this.events.length;
  }

  private get memberId(): string | undefined {
    const caller = this.call.caller as Call['caller'] | null;
    return caller?.memberId || undefined;
  }

  private base() {
    const { path, requestId, remoteAddress, userAgent } = this.call;
    return {
      request_id: requestId,
      remote_addr: remoteAddress,
      user_agent: userAgent,
      method: this.operation.method,
      path: pathOf(this.operation, path),
    };
  }

  private bodyOf(): unknown {
    return this.operation.request === 'json' ? this.call.body : undefined;
  }
}

/** The path of a call as it came; a token that somebody has put there is masked. */
function pathOf(operation: Operation, values: Record<string, string>): string {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  return maskTokens(filled).slice(0, longestMessage);
}

function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
