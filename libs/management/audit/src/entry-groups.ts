import { DatabaseUnavailable, type Store, wholeOrganization } from '#store';
import { type AuditEntry, insertStatement, storable } from './audit-entry.js';

/** Maximum length of the entries of one statement; a longer entry has a statement of its own. */
const maxGroupLength = 256 * 1024;

/** The entries of a call, as JSON without the brackets of an array. */
interface Waiting {
  text: string;
  settle: () => void;
  fail: (reason: unknown) => void;
}

/**
 * Adds audit entries of calls that end at about the same time in one transaction: what waits while an organization's entries are being
 * stored is stored together next. A transaction costs the database and this process several times as much as an entry.
 */
export class EntryGroups {
  /** By organization, while entries of it are being stored. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(private readonly store: Pick<Store, 'writeStatement'>) {}

  /** Resolves when the entries are stored. */
  add(organizationId: string, entries: readonly AuditEntry[]): Promise<void> {
    return new Promise((settle, fail) => {
      const one: Waiting = { text: storable(entries).slice(1, -1), settle, fail };
      const waiting = this.waiting.get(organizationId);
      if (waiting !== undefined) {
        waiting.push(one);
        return;
      }
      this.waiting.set(organizationId, [one]);
      void this.storeAll(organizationId);
    });
  }

  private async storeAll(organizationId: string): Promise<void> {
    const waiting = this.waiting.get(organizationId) ?? [];
    while (waiting.length > 0) await this.storeGroup(organizationId, waiting);
    this.waiting.delete(organizationId);
  }

  private async storeGroup(organizationId: string, waiting: Waiting[]): Promise<void> {
    let group: Waiting[] = [];
    try {
      await this.store.writeStatement(wholeOrganization(organizationId), () => {
        group = takeGroup(waiting);
        return insertStatement(organizationId, `[${group.map(({ text }) => text).join()}]`);
      });
      for (const { settle } of group) settle();
    } catch (error) {
      if (group.length === 0) group = takeGroup(waiting); // there was no connection
      // The database may have stored the group before it became unavailable, and refuses single entries as well.
      if (group.length === 1 || error instanceof DatabaseUnavailable)
        for (const { fail } of group) fail(error);
      else for (const one of group) await this.storeGroup(organizationId, [one]); // one of them is to blame
    }
  }
}

/** Removes the first of those that wait, and as many more as fit into one statement. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let length = 0;
  const end = waiting.findIndex(
    ({ text }, index) => (length += text.length) > maxGroupLength && index > 0,
  );
  return waiting.splice(0, end === -1 ? waiting.length : end);
}
