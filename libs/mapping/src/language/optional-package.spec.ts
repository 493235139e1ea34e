import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compileTemplate } from '../document/template.js';
import { standardEnvironment } from '../methods/standard-environment.js';
import { optionalPackage } from './optional-package.js';

const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(new URL('../../../../../libs/mapping/package.json', import.meta.url), 'utf8'),
) as {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
};
const absent = optionalPackage('no-such-package', 3);
const slug = standardEnvironment.methods.get('slug');
const methods = new Map(standardEnvironment.methods);
if (slug) methods.set('slug', { ...slug, needs: absent });
const environment = { ...standardEnvironment, methods };

describe('a method whose package is not installed', () => {
  it('is refused where a template calls it, with the command that installs the package', () => {
    expect(() =>
      compileTemplate('root.a = this.a\nroot.b = this.b.slug()', { environment }),
    ).toThrow(
      'line 2, column 23: the method slug needs the package no-such-package, which is not installed\n' +
        '  |\n2 | root.b = this.b.slug()\n  |                       ^\nInstall it: npm install no-such-package@3',
    );
  });

  it('does not stop templates that call other methods', () => {
    const { root } = compileTemplate('root = this.uppercase()', { environment }).run('a');
    expect(root).toBe('A');
  });

  it('cannot be loaded in another way', () => {
    expect(() => absent.load()).toThrow(
      'the package no-such-package is not installed. Install it: npm install no-such-package@3',
    );
  });
});

describe('the packages that few methods need', () => {
  const needed = [...standardEnvironment.methods.values()].flatMap(({ needs }) => needs ?? []);

  it('are the optional peers of package.json, in the version that an error tells to install', () => {
    const commands = needed.map(({ install }) => install);
    expect([...new Set(commands)].sort()).toEqual(
      Object.entries(peerDependencies)
        .map(([name, range]) => `npm install ${name}@${/^\^(\d+)\./.exec(range)?.[1]}`)
        .sort(),
    );
    expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
  });

  it('are not those that everybody installs, of which there are three and no framework', () => {
    expect(Object.keys(dependencies)).toEqual(['lru-cache', 're2js', 'yaml']);
  });

  it('are installed here, as the product offers every method', () => {
    for (const { isInstalled, load } of needed) {
      expect(isInstalled()).toBe(true);
      expect(load()).toBe(load());
    }
  });
});
