import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compileTemplate, formatJson, parseJson } from '@onefold/mapping';
import { setupsOf } from '#apps/provider-kit';
import { providerFolders } from '../../apps/provider-kit/src/folders.js';
import { type Fields, matcher, parseFilter } from '#query';

const text = readFileSync(new URL('../../../docs/providers/lists.md', import.meta.url), 'utf8');

const fields: Fields = {
  name: { type: 'string' },
  status: { type: 'string' },
  tags: { type: 'list' },
  created_at: { type: 'datetime' },
};

const rows = [...text.matchAll(/^\| `([^`]+\][^`]*)` +\| `([^`]+)` +\| (yes|no) +\|$/gm)].map(
  ([, filter = '', value = '', chosen]) => ({ filter, value, chosen: chosen === 'yes' }),
);

describe('the page on lists', () => {
  it('has examples of filters, and of like', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter(({ filter }) => filter.includes('like')).length).toBeGreaterThan(5);
  });

  it.each(rows)('says for $filter and $value: $chosen', ({ filter, value, chosen }) => {
    const matches = matcher(
      [parseFilter(filter, fields)],
      fields,
      () => JSON.parse(value) as unknown,
    );
    expect(matches({})).toBe(chosen);
  });

  it('names the lists that cannot promise each row once', () => {
    const named = [...text.matchAll(/^\| `(\w+)` +\| `(\w+_query_\w+)` +\|/gm)];
    expect(named.map(([, provider, list]) => `${provider} ${list}`).sort()).toEqual(
      providerFolders()
        .flatMap(setupsOf)
        .flatMap(({ type, excuses: { moving_lists: lists = {} } }) =>
          Object.keys(lists)
            .filter((id) => id.startsWith(`${type.split('_')[0]}_`))
            .map((id) => `${type} ${id}`),
        )
        .sort(),
    );
  });

  it('writes the time of a filter as its example says', () => {
    const [, source = '', input = '', output = ''] =
      /```coffee\n(.*)\n# In: +(.*)\n# Out: +(.*)\n```/.exec(text) ?? [];
    expect(formatJson(compileTemplate(source).run(parseJson(input)).root)).toBe(output);
  });
});
