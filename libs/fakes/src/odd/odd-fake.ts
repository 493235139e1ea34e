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

  /** The ids of the collections that routes list: those of the company, and those that are added. @param keys as the log has them */
  listedIds(keys: ReadonlySet<string | null>): { own: string[]; added: string[] }[] {
    const routes = this.document.routes.filter(({ key }) => keys.has(key));
    const names = new Set(routes.flatMap(({ list }) => list?.from ?? []));
    return [...names].map((name) => {
      const { rows } = this.made.rows(name);
      const [added, own] = [true, false].map((isWanted) =>
        rows.filter(({ number }) => isAdded(number) === isWanted).map(({ id }) => id),
      );
      return { own: own ?? [], added: added ?? [] };
    });
  }
}
