import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeWorld, worldListNames, type World, type WorldListName } from './index.js';

// The compiled spec runs below dist.
const page = readFileSync(
  new URL('../../../../../docs/demo-company.md', import.meta.url),
  'utf8',
).replaceAll('\r\n', '\n');

type Row = { readonly key: string } & Readonly<Record<string, unknown>>;

/** Rows of the table whose first column has this title, without header and markup. */
function tableOf(firstColumn: string): string[][] {
  const lines = page.split('\n');
  const header = lines.findIndex((line) => line.startsWith(`| ${firstColumn} `));
  expect(header).toBeGreaterThan(-1);
  const rest = lines.slice(header + 2);
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

function isListName(name: string | undefined): name is WorldListName {
  return worldListNames.some((one) => one === name);
}

describe('the page about the demonstration company', () => {
  let world: World;
  let all: Map<string, Row>;
  beforeAll(() => {
    world = makeWorld({ start: new Date('2026-03-09T10:00:00Z'), dataset: 'BASIC' });
    all = new Map(
      worldListNames.flatMap((name) =>
        (world[name] as readonly Row[]).map((row) => [row.key, row]),
      ),
    );
  });

  it('counts every list as it is', () => {
    const named = new Set<string>();
    for (const [name, count, content = ''] of tableOf('List')) {
      expect([name, isListName(name)]).toEqual([name, true]);
      if (!isListName(name)) continue;
      named.add(name);
      expect([name, Number(count)]).toEqual([name, world[name].length]);
      for (const [, number, inner] of content.matchAll(/(\d+) ([a-z]+_?[a-z]+)/g)) {
        if (!isListName(inner)) continue;
        named.add(inner);
        expect([inner, Number(number)]).toEqual([inner, world[inner].length]);
      }
    }
    expect([...named].sort()).toEqual([...worldListNames].sort());
  });

  it('names people and things as they are', () => {
    for (const [key = '', name, title] of tableOf('Person'))
      expect(all.get(key)).toMatchObject({ display_name: name, title });
    const things = tableOf('Thing');
    expect(things.length).toBeGreaterThan(5);
    for (const [key = '', name] of things) {
      const thing = all.get(key);
      expect([thing?.['hostname'], thing?.['name'], thing?.['value']]).toContain(name);
    }
    expect(all.get('dev-0019')).toMatchObject({ ip: '10.20.0.21', owner: 'emp-0019' });
  });

  it('tells the attack with the times and records of the data, in their order', () => {
    const times: string[] = [];
    for (const [time = '', , list, key = ''] of tableOf('Time')) {
      if (!isListName(list)) throw new Error(`unknown list ${list}`);
      const record = (world[list] as readonly Row[]).find((row) => row.key === key);
      expect([key, record?.['incident'] ?? record?.key]).toEqual([
        key,
        list === 'incidents' || list === 'conversations' ? key : 'inc-0008',
      ]);
      const at = ['received', 'detected', 'occurred', 'started', 'first_seen', 'created']
        .map((name) => record?.[`${name}_at`])
        .find((value) => typeof value === 'string');
      expect([key, at]).toEqual([key, expect.stringContaining(`2026-03-08T${time}`)]);
      times.push(time);
    }
    expect(times.length).toBeGreaterThan(12);
    expect(times).toEqual(times.toSorted());
  });

  it('mentions only records, vulnerabilities and addresses that the data has', () => {
    const keys = page.match(/`[a-z]{3}-\d{4}`/g) ?? [];
    for (const key of keys) expect([key, all.has(key.slice(1, -1))]).toEqual([key, true]);
    const text = worldListNames.map((name) => JSON.stringify(world[name])).join('\n');
    const facts =
      page.match(/CVE-\d{4}-\d+|\b\d+\.\d+\.\d+\.\d+\b|WinRAR [\d.]+\d|incident-\d+/g) ?? [];
    expect(facts.length).toBeGreaterThan(8);
    for (const fact of facts) expect([fact, text.includes(fact)]).toEqual([fact, true]);
    expect(text).toContain('"login":"pieter.jansen"');
    expect(all.get('tkt-0036')).toMatchObject({ number: 4_136 });
  });
});
