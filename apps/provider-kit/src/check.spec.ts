import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkFolder } from './check.js';
import { conformance } from './conformance.js';
import { warnOfLostFields } from './lost-fields.js';
import { ProviderFolder, providerFolders } from './folders.js';
import { domains, scaffold } from './scaffold.js';

it.each(providerFolders().map((folder) => [folder.name, folder] as const))(
  'the folder of %s has no faults',
  (_name, folder) => {
    expect(checkFolder(folder)).toEqual([]);
  },
);

describe('a scaffolded folder', () => {
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

  it.each(domains())('for %s has no faults', async (domain) => {
    const name = `${domain}-desk`;
    expect(await scaffold(name, domain, parent)).toContain(`libs/providers/${name}/provider.yaml`);
    expect(checkFolder(new ProviderFolder(name, parent))).toEqual([]);
  });

  it('is warned of a create that reads only a part of the body', async () => {
    await scaffold('partial', 'ticketing', parent);
    const folder = new ProviderFolder('partial', parent);
    expect(warnOfLostFields(folder)).toEqual([]);
    const create = `operations:
  ticketing_create_ticket:
    needs: Write
    response: project
    steps: [{ method: POST, path: /tickets, body: root.title = this.body.name }]
    record: this.steps.call
`;
    const refused = '  ticketing_create_ticket: it is not written yet\n';
    change('partial', 'provider.yaml', refused, '');
    change('partial', 'provider.yaml', 'operations:\n', create);
    expect(warnOfLostFields(folder)).toEqual([
      expect.stringMatching(
        /^warning: .*ticketing_create_ticket writes only a part of the body: no expression reads .*due_date.*\. Read /,
      ),
    ]);
  });

  it('does not replace another one, and needs a valid name and domain', async () => {
    await scaffold('once', 'ticketing', parent);
    await expect(scaffold('once', 'ticketing', parent)).rejects.toThrow('exists already');
    await expect(scaffold('../x', 'ticketing', parent)).rejects.toThrow('not a valid folder name');
    await expect(scaffold('other', 'tickets', parent)).rejects.toThrow(
      'the domain "tickets" does not exist',
    );
  });

  it('reports all its faults at once, in every file, with line, column and caret', async () => {
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

  it('warns of names in expressions and mappings that mean something else than they say', async () => {
    await scaffold('doubtful', 'ticketing', parent);
    change('doubtful', 'mappings/project.yaml', 'this.name', 'this.name.trim');
    const message = 'message: this.body.message';
    const faults = change('doubtful', 'provider.yaml', message, `${message}.lowercase`);
    expect(faults).toEqual([
      expect.stringMatching(
        /^libs\/providers\/doubtful\/mappings\/project.yaml: line 7, column 27: \.trim is read as a field/,
      ),
      expect.stringMatching(
        /^libs\/providers\/doubtful\/provider.yaml: line \d+, column 30: \.lowercase is read as a field .*\n.*\n\d+ \| {3}message: this\.body\.message\.lowercase\n(?:.*\n)?Did you mean \.lowercase\(\)/,
      ),
    ]);
  });

  it('reports a missing mapping, and one that is not used', async () => {
    await scaffold('lost', 'ticketing', parent);
    expect(change('lost', 'provider.yaml', 'mappings/project.yaml', 'mappings/other.yaml')).toEqual(
      [
        'libs/providers/lost/provider.yaml: mappings/other.yaml does not exist',
        'libs/providers/lost/mappings/project.yaml: the document does not name this file',
      ],
    );
  });

  it('has a table that must agree with the document', async () => {
    await scaffold('table', 'ticketing', parent);
    const readme = 'README.md';
    expect(change('table', readme, '| works', '| is ok')).toEqual([
      expect.stringMatching(/line \d+: ticketing_list_projects neither "works" nor/),
    ]);
    expect(change('table', readme, '| is ok', '| 501  ')).toEqual([
      expect.stringContaining('ticketing_list_projects is 501, but provider.yaml declares'),
    ]);
    const reason = '  ticketing_list_on_call: it is not written yet\n';
    expect(change('table', 'provider.yaml', reason, '')).toContain(
      'libs/providers/table/provider.yaml: it neither declares ticketing_list_on_call nor says under unsupported why the vendor cannot serve it',
    );
    change('table', 'provider.yaml', 'unsupported:\n', `unsupported:\n${reason}`);
    expect(
      change('table', readme, '`ticketing_list_projects`', '`ticketing_list_on_call`'),
    ).toEqual([
      expect.stringContaining('ticketing_list_on_call has a line already'),
      expect.stringContaining('its table has no line for ticketing_list_projects'),
    ]);
  });

  it('needs fixtures of all failures that its verification distinguishes', async () => {
    await scaffold('tried', 'ticketing', parent);
    const more =
      'needs: Read\n  - path: /me\n    needs: Profile\n    passes: this.body.ok\n  - path: /us\n    needs: Group\n    passes: this.body.ok\n    message: this.body.why\n';
    expect(change('tried', 'provider.yaml', 'needs: Read\n', more)).toEqual([
      expect.stringMatching(
        /verify\.yaml: the case missing_2 is missing, a credential without the permission "Profile"; npm run/,
      ),
      expect.stringContaining('the case wrong_3 is missing, a configuration that names'),
    ]);
    change('tried', 'provider.yaml', more, 'needs: Read\n');
    expect(change('tried', 'fixtures/verify.yaml', '  works:', '  other:')).toEqual([
      expect.stringContaining('verify.yaml: the case works is missing, a good configuration'),
      expect.stringContaining('verify.yaml: verify of the document has no case other'),
    ]);
  });

  it('must have a verification', async () => {
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

  it('has example fixtures, which prove nothing', async () => {
    await scaffold('example', 'ticketing', parent);
    const faults = change('example', 'provider.yaml', 'proof: none', 'proof: real-system');
    expect(faults).toHaveLength(3);
    expect(faults.join('\n')).toContain('list_projects.yaml: it is an example of the scaffold');
  });

  it('needs the evidence for the proof that it claims', async () => {
    await scaffold('proof', 'ticketing', parent);
    const claimed = change('proof', 'provider.yaml', 'proof: none', 'proof: vendor-description');
    for (const name of ['description', 'main.ts'])
      expect(claimed).toContain(
        `libs/providers/proof/provider.yaml: proof is vendor-description, but ${name} does not exist`,
      );
    change('proof', 'provider.yaml', 'proof: vendor-description', 'proof: none');
    expect(change('proof', 'README.md', '**Proven** against', 'Tried with')).toEqual([
      'libs/providers/proof/README.md: it must say what the provider was **Proven** against',
    ]);
  });

  it('needs a walk that leaves out exactly the operations that the document does not declare', async () => {
    await scaffold('walk', 'ticketing', parent);
    expect(
      change('walk', 'walk.yaml', '- ticketing_get_ticket', '- ticketing_list_projects'),
    ).toEqual([
      expect.stringContaining('ticketing_get_ticket is missing under without'),
      expect.stringContaining('remove ticketing_list_projects from without'),
    ]);
  });
});
