import type { Call, Caller, OperationId } from '#contract';
import type { PatchOperation } from '#patch';
import {
  type ListParameters,
  listQuery,
  type Reader,
  type RecordKind,
  type TenantRecord,
  type Transaction,
} from '#store';
import type { ManagementContext } from './management-context.js';
import { type Messages, messagesOf, type Note } from './messages.js';
import { patchRecord } from './patch-record.js';
import { checkId } from './record.js';
import { totalView, type TotalView } from './total-view.js';

type AnyCall = Pick<Call, 'caller' | 'operation'>;

/** A call that may insist on a change that others are harmed by. */
interface Forcible {
  query?: Readonly<Record<string, unknown>>;
}

/** `force`: the caller wants the record changed or deleted although others need it as it is. */
interface Options {
  force: boolean;
}

/** The rules of a room for its records. Reading, changing and deleting them is otherwise the same in all rooms. */
export interface RecordRules<Entity extends TenantRecord, View extends { id: string }> {
  kind: RecordKind<Entity>;
  /** The name of the record in errors. */
  called: string;
  /** The record in responses and in the body of an update. */
  view: (row: Entity) => View;
  operations: { patch: OperationId; update: OperationId };
  /** Brings the records up to date that the passing of time has changed. Reads of such a kind are transactions that write. */
  refresh?: (tx: Transaction) => Promise<void>;
  /** Checks a body, and stores the record with it. */
  store: (
    tx: Transaction,
    row: Entity,
    body: View,
    caller: Caller,
    options: Options,
  ) => Promise<View>;
  /** Facts that the caller has to know of a body that was stored. */
  notes?: (body: View) => readonly Note[];
  /** Deletes the record with what belongs to it, or refuses to. */
  remove: (tx: Transaction, row: Entity, caller: Caller, options: Options) => Promise<void>;
}

/** Fields that limit the search for a record; the whole organization is searched if absent. */
type Within<Entity> = (tx: Reader) => Promise<Partial<Entity>>;

/** A record that was changed, with what its caller has to know of it. */
interface Changed<View> {
  result: View;
  messages?: Messages;
}

/** Lists, gets, updates, patches and deletes records of a kind, for the handlers of a room to call. */
export class RecordHandlers<Entity extends TenantRecord, View extends { id: string }> {
  constructor(
    private readonly context: ManagementContext,
    private readonly rules: RecordRules<Entity, View>,
  ) {}

  async list(
    call: AnyCall & { query: ListParameters },
    within?: Within<Entity>,
  ): Promise<{ result: View[] } & TotalView> {
    const { kind, view } = this.rules;
    const query = listQuery(call.query, kind.fields);
    return await this.read(call, async (tx) => {
      const { rows, ...total } = await tx.records(kind).list(query, await within?.(tx));
      return { result: rows.map(view), ...totalView(total) };
    });
  }

  async get(call: AnyCall, key: string, within?: Within<Entity>): Promise<{ result: View }> {
    const { kind, view } = this.rules;
    return await this.read(call, async (tx) => ({
      result: view(await tx.records(kind).get(key, await within?.(tx))),
    }));
  }

  async update(
    call: AnyCall & Forcible & { body: View },
    key: string,
    within?: Within<Entity>,
  ): Promise<Changed<View>> {
    return await this.change(call, key, within, () => call.body);
  }

  async patch(
    call: AnyCall & Forcible & { body: readonly PatchOperation[] },
    key: string,
    within?: Within<Entity>,
  ): Promise<Changed<View>> {
    const { view, operations } = this.rules;
    return await this.change(call, key, within, (row) =>
      patchRecord(view(row), call.body, operations),
    );
  }

  async delete(call: AnyCall & Forcible, key: string, within?: Within<Entity>): Promise<void> {
    const { kind, remove } = this.rules;
    await this.write(call, async (tx) => {
      const row = await tx.records(kind).getLocked(key, await within?.(tx));
      await remove(tx, row, call.caller, optionsOf(call));
    });
  }

  private async change(
    call: AnyCall & Forcible,
    key: string,
    within: Within<Entity> | undefined,
    bodyOf: (row: Entity) => View,
  ): Promise<Changed<View>> {
    const { kind, called, store, notes } = this.rules;
    return await this.write(call, async (tx) => {
      const row = await tx.records(kind).getLocked(key, await within?.(tx));
      const body = bodyOf(row);
      checkId(body, row, called);
      const result = await store(tx, row, body, call.caller, optionsOf(call));
      return { result, ...messagesOf(notes?.(body) ?? [], this.context.now()) };
    });
  }

  private async read<T>(call: AnyCall, work: (tx: Reader) => Promise<T>): Promise<T> {
    return this.rules.refresh === undefined
      ? await this.context.read(call, work)
      : await this.write(call, work);
  }

  private async write<T>(call: AnyCall, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { refresh } = this.rules;
    return await this.context.write(call, async (tx) => {
      await refresh?.(tx);
      return await work(tx);
    });
  }
}

function optionsOf({ query }: Forcible): Options {
  return { force: query?.['force'] === true };
}
