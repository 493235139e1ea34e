import { describe, expect, it } from '@jest/globals';
import { isId } from '#config';
import { isInShare } from '#test/harness';
import type { Operation } from '#contract';
import { textPlaces, withText } from '../bodies/places.js';
import { bodySchema, listedTexts } from '../bodies/schemas.js';
import { each, idParameters } from './requests.js';
import { tenants } from './tenants-of-run.js';
import { type Kind, lists, served } from './tenants.js';
import { isUnreachable, kindOf, once, unknownLike, withoutValue } from './unknown.js';
import { idsOfWorld, namesOfWorld } from './world-ids.js';

/** Callers, and the foreign ids and names that their bodies and filters contain. */
const namers: [Kind, () => string[]][] = [
  [
    'the administrator',
    () => [
      ...idsOfWorld(tenants.theirs),
      ...new Set(namesOfWorld(tenants.theirs).map(([, name]) => name)),
    ],
  ],
  [
    'an administrator of one account',
    () => [
      ...Object.values(tenants.mine.accounts[1].ids),
      tenants.mine.accounts[1].accountId,
      'mine-two',
    ],
  ],
];
/** Filters on all fields of a list are one code: each field gets one in so many values, and the list gets every value. */
const filterInterval = 24;
/** The same of the texts of bodies. */
const bodyInterval = 6;
/** Free text for people, which never refers to a record. */
const shown = new Set(['fullname', 'description', 'contact', 'reply_to', 'picture', 'nickname']);
const bodied = served.filter(
  (operation) =>
    operation.side === 'management' &&
    operation.method !== 'PATCH' &&
    bodySchema(operation) !== undefined,
);

/** True for places of a secret, which does not refer to a record; wrong secrets would lock a member. */
function isSecret({ secrets }: Operation, place: readonly (string | number)[]): boolean {
  return secrets.includes(`/${place.map((key) => (key === 0 ? '*' : key)).join('/')}`);
}

/** Tests whether callers can tell foreign ids and names from unknown ones. */
export function unknownIdSpecs(): void {
  it.each(namers)(
    '%s gets the same for a foreign id in a filter as for an unknown one',
    async (kind, values) => {
      const { token } = tenants.caller(kind);
      const asked = lists
        .filter(({ query }) => 'filter' in query || 'start_after' in query)
        .flatMap((operation) =>
          [
            (value: string) => ({ start_after: value }),
            ...listedTexts(operation).map((field) => (value: string) => ({
              filter: `${field}[eq]${value}`,
            })),
          ].flatMap((query, place) =>
            values()
              .filter((_value, index) => place === 0 || isInShare(index + place, filterInterval))
              .map((value) => ({ operation, query, value })),
          ),
        );
      const leaks: object[] = [];
      const known = new Map<string, Promise<object>>();
      await each(asked, async ({ operation, query, value }) => {
        const path = tenants.ownPath(operation);
        const ask = async (text: string) => {
          const sent = await tenants.send(operation, { path, query: query(text) }, token);
          return {
            ...withoutValue(sent, text),
            result: sent.status === 200 ? sent.result : undefined,
          };
        };
        const askUnknown = () => ask(unknownLike(value, 99));
        // Pages that start after another id have other rows.
        const isPage = 'start_after' in query(value);
        const place = JSON.stringify([operation.id, query(kindOf(value))]);
        const [foreign, unknown] = [
          await ask(value),
          await (isPage ? askUnknown() : once(known, place, askUnknown)),
        ];
        if (JSON.stringify(foreign) !== JSON.stringify(unknown))
          leaks.push({ operation: operation.id, query: query(value), foreign, unknown });
      });
      expect({ count: leaks.length, first: leaks.slice(0, 3) }).toEqual({ count: 0, first: [] });
    },
  );

  // Filters are tested first, because these requests create records with such names.
  describe.each(namers)('%s', (kind, values) => {
    it.each(bodied.map((operation, index) => [operation.id, operation, index] as const))(
      'gets the same for foreign ids in the body of %s as for unknown ones',
      async (_id, operation, index) => {
        const { token } = tenants.caller(kind);
        const schema = bodySchema(operation) ?? {};
        const path = tenants.ownPath(operation);
        const body = await tenants.bodyFor(
          operation,
          path[idParameters(operation).at(-1) ?? ''] ?? '',
        );
        let made = 0;
        const ask = async (place: readonly (string | number)[], value: string) => {
          made += 1;
          const fresh = operation.creates
            ? { ...(body as object), fullname: `made ${made}` }
            : body;
          const changed = withText(operation.side, schema, fresh, place, value);
          const sent = await tenants.send(operation, { path, body: changed }, token);
          // Calls to an address that nobody answers at are paused after some of them, whatever the rest of the body is.
          return isUnreachable(sent) ? { isUnreachable: true } : withoutValue(sent, value);
        };
        const leaks: object[] = [];
        const known = new Map<string, Promise<object>>();
        const places = textPlaces(operation.side, schema).filter(
          (place) => !shown.has(String(place.at(-1))) && !isSecret(operation, place),
        );
        // A place that accepts any text does not refer to a record.
        const looking: (typeof places)[number][] = [];
        await each(places, async (place) => {
          const { status } = (await ask(place, `nonsense ${index}`)) as { status: number };
          if (status >= 300) looking.push(place);
        });
        const asked = looking.flatMap((place) =>
          values()
            // A name in use is refused to every caller of the organization, even without access to the account that has it.
            .filter((value) => isId(value) || place.at(-1) !== 'name')
            .filter((_value, at) => isInShare(at + places.indexOf(place), bodyInterval))
            .map((value) => ({ place, value })),
        );
        await each(asked, async ({ place, value }) => {
          const [foreign, unknown] = [
            await ask(place, value),
            await once(known, JSON.stringify([place, kindOf(value)]), () =>
              ask(place, unknownLike(value, index)),
            ),
          ];
          if (JSON.stringify(foreign) !== JSON.stringify(unknown))
            leaks.push({ place: place.join('/'), value, foreign, unknown });
        });
        expect({ count: leaks.length, first: leaks.slice(0, 3) }).toEqual({ count: 0, first: [] });
      },
    );
  });

  it('the other organization is unchanged', async () => {
    expect(await tenants.changedRows()).toEqual([]);
  });
}
