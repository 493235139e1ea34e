import type { FakeDocument } from '../document/fake-document.js';
import type { Dataset } from '../state/world.js';
import type { MadeCollections } from '../state/made-collections.js';
import { unlicensedScopes } from './odd-document.js';
import { isAdded } from './odd-rows.js';

/** Parts that a fake with the dataset ODD refuses, and records that it adds to those of the company. Tests may license the parts. */
export class OddFake {
  /** Scopes of parts that the customer has not bought: their routes are refused. */
  readonly unlicensed: Set<string>;

  constructor(
    private readonly document: FakeDocument,
    private readonly made: MadeCollections,
    dataset: Dataset,
  ) {
    this.unlicensed = new Set(dataset === 'ODD' ? unlicensedScopes(document) : []);
  }

  /** Whether a route is of a part that is not licensed. @param key as the log has it */
  isUnlicensed(key: string | null): boolean {
    const route = this.document.routes.find((one) => one.key === key);
    return this.unlicensed.has(route?.access ?? '');
  }

  /** The ids of the records that are added to the lists of routes. @param keys as the log has them */
  addedIds(keys: ReadonlySet<string | null>): string[] {
    const routes = this.document.routes.filter(({ key }) => keys.has(key));
    const names = new Set(routes.flatMap(({ list }) => list?.from ?? []));
    return [...names].flatMap((name) =>
      this.made.rows(name).rows.flatMap(({ id, number }) => (isAdded(number) ? [id] : [])),
    );
  }
}
