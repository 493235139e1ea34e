import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkFolder } from './check.js';
import { conformance } from './conformance.js';
import { ProviderFolder, providerFolders } from './folders.js';
import { domains, scaffold } from './scaffold.js';

it.each(providerFolders().map((folder) => [folder.name, folder] as const))(
  'the folder of %s is in order',
  (_name, folder) => {
    expect(checkFolder(folder)).toEqual([]);
  },
);

describe('a folder that was scaffolded', () => {
  let path: string;
  let parent: URL;
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), 'onefold-kit-'));
    parent = pathToFileURL(`${path}/`);
  });
  afterAll(() => rmSync(path, { recursive: true }));

  const change = (name: string, file: string, from: string, to: string) => {
    const folder = new ProviderFolder(name, parent);
    const text = folder.read(file);
    expect(text).toContain(from);
    writeFileSync(new URL(file, folder.url), text.replace(from, to));
    return checkFolder(folder);
  };

  it.each(domains())('for %s is in order', async (domain) => {
    const name = `${domain}-desk`;
    expect(await scaffold(name, domain, parent)).toContain(`libs/providers/${name}/provider.yaml`);
    expect(checkFolder(new ProviderFolder(name, parent))).toEqual([]);
  });

  it('is not put over another one, and not under any name or for any domain', async () => {
    await scaffold('once', 'ticketing', parent);
    await expect(scaffold('once', 'ticketing', parent)).rejects.toThrow('is there already');
    await expect(scaffold('../x', 'ticketing', parent)).rejects.toThrow('no name of a folder');
    await expect(scaffold('other', 'tickets', parent)).rejects.toThrow(
      'there is no domain "tickets"',
    );
  });

  it('has all its faults told at once, in every file, with line, column and caret', async () => {
    await scaffold('faulty', 'ticketing', parent);
    change('faulty', 'mappings/project.yaml', 'this.id', 'this.id.uppercas()');
    const faults = change('faulty', 'provider.yaml', 'needs: Read', 'need: Read');
    expect(faults[0]).toMatch(
      /^libs\/providers\/faulty\/mappings\/project.yaml: line 6, column 33: .*\n.*\n6 \| .*root\.id.*\n {2}\| +\^\nDid you mean uppercase/,
    );
    expect(faults.slice(1).join('\n')).toMatch(
      /provider.yaml: line 31, column 5: unknown key "need"/,
    );
  });

  it('names a mapping that is not there, and one that nobody names', async () => {
    await scaffold('lost', 'ticketing', parent);
    expect(change('lost', 'provider.yaml', 'mappings/project.yaml', 'mappings/other.yaml')).toEqual(
      [
        'libs/providers/lost/provider.yaml: it names mappings/other.yaml, and there is no such file',
        'libs/providers/lost/mappings/project.yaml: the document names no such file',
      ],
    );
  });

  it('has a table that agrees with the document', async () => {
    await scaffold('table', 'ticketing', parent);
    const readme = 'README.md';
    expect(change('table', readme, '| works  ', '| is fine')).toEqual([
      expect.stringMatching(/line \d+: ticketing_list_projects neither "works" nor/),
    ]);
    expect(change('table', readme, '| is fine', '| 501, because it rains')).toEqual([
      expect.stringContaining(
        'ticketing_list_projects is 501, it says, and provider.yaml declares',
      ),
    ]);
    expect(
      change('table', readme, '`ticketing_list_projects`', '`ticketing_list_on_call`'),
    ).toEqual([
      expect.stringContaining('ticketing_list_on_call has a line already'),
      expect.stringContaining('its table has no line for ticketing_list_projects'),
    ]);
  });

  it('has fixtures of all that its verification tells apart', async () => {
    await scaffold('tried', 'ticketing', parent);
    const more =
      'needs: Read\n  - path: /me\n    needs: Profile\n    passes: this.body.ok\n  - path: /us\n    needs: Group\n    passes: this.body.ok\n    message: this.body.why\n';
    expect(change('tried', 'provider.yaml', 'needs: Read\n', more)).toEqual([
      expect.stringMatching(
        /verify\.yaml: the case missing_2 is missing, a credential that shows nothing of what "Profile" permits; npm run/,
      ),
      expect.stringContaining('the case wrong_3 is missing, a configuration that names'),
    ]);
    change('tried', 'provider.yaml', more, 'needs: Read\n');
    expect(change('tried', 'fixtures/verify.yaml', '  works:', '  other:')).toEqual([
      expect.stringContaining('verify.yaml: the case works is missing, a good configuration'),
      expect.stringContaining('verify.yaml: verify of the document has no case other'),
    ]);
  });

  it('says which permissions a configuration needs', async () => {
    await scaffold('untried', 'ticketing', parent);
    const faults = change(
      'untried',
      'provider.yaml',
      'verify:\n  - path: /projects\n    needs: Read\n',
      '',
    );
    expect(faults[0]).toContain('provider.yaml: it has no verify');
  });

  it.each(['ticketing', 'assets', 'siem'])('for %s has examples that pass', async (domain) => {
    await scaffold(`example-${domain}`, domain, parent);
    const checks = conformance(new ProviderFolder(`example-${domain}`, parent));
    const faults = await Promise.all(checks.map(({ run }) => run()));
    expect(faults.flat()).toEqual([]);
  });

  it('has examples of fixtures that prove nothing', async () => {
    await scaffold('example', 'ticketing', parent);
    const faults = change('example', 'provider.yaml', 'proof: none', 'proof: real-system');
    expect(faults).toHaveLength(3);
    expect(faults.join('\n')).toContain('list_projects.yaml: it is an example of the scaffold');
  });

  it('has the evidence for the proof that it claims', async () => {
    await scaffold('proof', 'ticketing', parent);
    const claimed = change('proof', 'provider.yaml', 'proof: none', 'proof: vendor-description');
    for (const name of ['description', 'main.ts'])
      expect(claimed).toContain(
        `libs/providers/proof/provider.yaml: proof is vendor-description, and there is no ${name}`,
      );
    change('proof', 'provider.yaml', 'proof: vendor-description', 'proof: none');
    expect(change('proof', 'README.md', '**Proven** against', 'Tried with')).toEqual([
      'libs/providers/proof/README.md: it does not say what the provider was **Proven** against',
    ]);
  });

  it('has a walk that leaves out what the document does not declare', async () => {
    await scaffold('walk', 'ticketing', parent);
    expect(
      change('walk', 'walk.yaml', '- ticketing_get_ticket', '- ticketing_list_projects'),
    ).toEqual([
      expect.stringContaining('without lacks ticketing_get_ticket'),
      expect.stringContaining('without has ticketing_list_projects'),
    ]);
  });
});
