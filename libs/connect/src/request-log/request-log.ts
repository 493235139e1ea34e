import { Logger } from '@nestjs/common';
import type { FinishedCall } from '#bus';
import type { CallRecording } from '#contract';
import { DatabaseUnavailable, type LoggedRequest, maxRecentRequests, type Store } from '#store';
import { type LoggedCall, loggedCall, loggedRequest } from './logged-call.js';

/** Maximum number of calls and exchanges that wait for the database, of all integrations and of one. Those beyond it are left out. */
const maxHeld = 20_000;
const maxHeldOfIntegration = 5_000;
/** Maximum number of calls in one statement, and of those with bodies. */
const maxBatch = 500;
const maxBodiesBatch = 16;
/** Maximum number of characters of bodies that wait for the database. Calls beyond it are kept without them. */
export const maxRecorded = 33_554_432;

const log = new Logger('request log');

/** A call that is written next. */
interface Unsent {
  request: LoggedRequest;
  recording: CallRecording | undefined;
}

/** The calls of an integration that wait for the database. */
interface Held {
  size: number;
  kept: LoggedCall[];
  /** The last successful ones of those that are not kept anyway. */
  recent: LoggedCall[];
}

/**
 * Keeps calls of integrations in memory until they are written: those that failed, a share of the others, and the last ones of each
 * integration. No call waits for it, and a killed process loses those since its last write.
 */
export class RequestLog {
  private held = new Map<string, Held>();
  private size = 0;
  private leftOut = 0;
  private unsent: Unsent[] = [];
  /** Characters of the recordings that wait. */
  private recorded = 0;
  private leftOutBodies = 0;

  /**
   * @param oneOf one of so many successful calls is kept; none at 0
   * @param last so many calls of each integration are kept in any case
   * @param random returns a number from 0 to 1
   */
  constructor(
    private readonly store: Pick<Store, 'addRequests' | 'addRequestBodies'>,
    private readonly oneOf: number,
    private readonly last: number = maxRecentRequests,
    private readonly random: () => number = Math.random,
  ) {}

  /** Notes a call that this process has answered. */
  readonly answered = (finished: FinishedCall): void => {
    const call = loggedCall(finished);
    if (call === undefined) return;
    const held = this.heldOf(call.integrationId);
    const { size } = call;
    if (this.size + size > maxHeld || held.size + size > maxHeldOfIntegration) {
      this.leftOut += 1;
      return;
    }
    this.keepRecording(call);
    const isKept =
      call.status >= 400 ||
      call.notes?.recording !== undefined ||
      (this.oneOf > 0 && this.random() * this.oneOf < 1);
    (isKept ? held.kept : held.recent).push(call);
    this.grow(held, size);
    if (held.recent.length <= this.last) return;
    this.grow(held, -(held.recent.shift()?.size ?? 0));
  };

  /**
   * Writes the calls so far.
   * @throws DatabaseUnavailable: those that were not written are written next time
   */
  async write(): Promise<void> {
    if (this.unsent.length === 0) this.unsent = this.take();
    while (this.unsent.length > 0) {
      const batch = this.unsent.slice(0, maxBatch);
      try {
        await this.store.addRequests(batch.map(({ request }) => request));
        await this.writeBodies(batch);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        log.error({ message: 'calls left out', count: batch.length, error: String(error) });
      }
      this.unsent.splice(0, batch.length);
    }
    if (this.leftOutBodies > 0)
      log.warn({ message: 'full, bodies of calls left out', count: this.leftOutBodies });
    this.leftOutBodies = 0;
    if (this.leftOut > 0) log.warn({ message: 'full, calls left out', count: this.leftOut });
    this.leftOut = 0;
  }

  private async writeBodies(batch: readonly Unsent[]): Promise<void> {
    const recorded = batch.filter(({ recording }) => recording !== undefined);
    for (let at = 0; at < recorded.length; at += maxBodiesBatch) {
      const some = recorded.slice(at, at + maxBodiesBatch);
      const sealed = some.map(
        ({ request: { id, organization_id, integration_id }, recording }) => ({
          id,
          organization_id,
          integration_id,
          sealed: recording?.seal() ?? '',
        }),
      );
      await this.store.addRequestBodies(sealed);
      for (const one of some) {
        this.recorded -= one.recording?.size ?? 0;
        one.recording = undefined;
      }
    }
  }

  /** Keeps the bodies of a call while there is room for them. */
  private keepRecording({ notes }: LoggedCall): void {
    if (notes?.recording === undefined) return;
    const { size } = notes.recording;
    if (this.recorded + size <= maxRecorded) {
      this.recorded += size;
      return;
    }
    delete notes.recording;
    this.leftOutBodies += 1;
  }

  private take(): Unsent[] {
    const held = [...this.held.values()];
    this.held = new Map();
    this.size = 0;
    const unsent = (one: LoggedCall, recent: boolean) => ({
      request: loggedRequest(one, recent),
      recording: one.notes?.recording,
    });
    return held.flatMap(({ kept, recent }) => [
      ...kept.map((one) => unsent(one, false)),
      ...recent.map((one) => unsent(one, true)),
    ]);
  }

  private grow(held: Held, by: number): void {
    held.size += by;
    this.size += by;
  }

  private heldOf(integrationId: string): Held {
    let held = this.held.get(integrationId);
    if (held === undefined)
      this.held.set(integrationId, (held = { size: 0, kept: [], recent: [] }));
    return held;
  }
}
