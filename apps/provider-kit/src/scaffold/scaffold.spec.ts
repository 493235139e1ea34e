import { describe, expect, it } from '@jest/globals';
import { domains as domainsOfContract } from '#contract';
import { checkFolder } from '../check.js';
import { conformance } from '../conformance.js';
import { ProviderFolder } from '../folders.js';
import { newFolders } from '../new-folders.fixture.js';
import { translationFaults } from '../translation-faults.js';
import { authKinds, domains, scaffold } from './scaffold.js';

/** Less than `provider -- test` does. */
const depth = { maxPlaces: 3, maxFields: 3 };

describe('a new folder', () => {
  const { parent } = newFolders();

  it.each(domains())('for %s passes check and test as it is', async (domain) => {
    const name = `${domain}-desk`;
    const files = scaffold(name, domain, { parent });
    expect(files).toContain(`libs/providers/${name}/fake.yaml`);
    const folder = new ProviderFolder(name, parent);
    expect([...checkFolder(folder), ...translationFaults(folder)]).toEqual([]);
    const faults: string[] = [];
    for (const { run } of conformance(folder, depth)) faults.push(...(await run()));
    expect(faults).toEqual([]);
  });

  it.each(authKinds())('that authenticates by %s passes check and test as it is', async (auth) => {
    const name = `by-${auth.replaceAll('_', '-')}`;
    scaffold(name, 'ticketing', { auth, parent });
    const folder = new ProviderFolder(name, parent);
    expect([...checkFolder(folder), ...translationFaults(folder)]).toEqual([]);
    const faults: string[] = [];
    for (const { run } of conformance(folder, depth)) faults.push(...(await run()));
    expect(faults).toEqual([]);
    const document = folder.readDocument();
    const kinds = ['token', 'basic', 'o_auth_client'].filter((kind) =>
      document.includes(`\n    ${kind}:`),
    );
    expect(kinds).toEqual([auth === 'api_key' ? 'token' : auth]);
    expect(folder.read('README.md')).toContain('The credential is ');
  });

  it('names the kinds of credentials that it can have', () => {
    expect(() => scaffold('signed', 'ticketing', { auth: 'magic', parent })).toThrow(
      'the kind of credential "magic" does not exist; use one of token, api_key, basic, o_auth_client',
    );
  });

  it('can be made for every domain that providers serve', () => {
    expect([...domains()].sort()).toEqual([...domainsOfContract].sort());
  });

  it('does not replace another one, and needs a valid name and domain', () => {
    scaffold('once', 'ticketing', { parent });
    expect(() => scaffold('once', 'ticketing', { parent })).toThrow('exists already');
    expect(() => scaffold('../x', 'ticketing', { parent })).toThrow('not a valid folder name');
    expect(() => scaffold('other', 'tickets', { parent })).toThrow(
      'the domain "tickets" does not exist; use one of appsec, assets,',
    );
  });
});
