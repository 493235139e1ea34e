import { writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkFolder } from './check.js';
import { compiledOf } from './compiled-folder.js';
import { writeDesk } from './desk.fixture.js';
import { warnOfLostFields } from './lost-fields.js';
import { ProviderFolder, providerFolders } from './folders.js';
import { newFolders } from './new-folders.fixture.js';
import { scaffold } from './scaffold/scaffold.js';

it.each(providerFolders().map((folder) => [folder.name, folder] as const))(
  'the folder of %s has no faults',
  (_name, folder) => {
    expect(checkFolder(folder)).toEqual([]);
  },
);

describe('a folder', () => {
  const { parent, change: changed } = newFolders();
  const change = (name: string, file: string, from: string, to: string) =>
    checkFolder(changed(name, file, from, to));
  /** Faults but those of a folder that is not recorded. */
  const withoutRecordings = (faults: readonly string[]) =>
    faults.filter((fault) => !fault.includes('verify.yaml'));

  it('is warned of a create that reads only a part of the body', () => {
    scaffold('partial', 'ticketing', { parent });
    const folder = new ProviderFolder('partial', parent);
    expect(warnOfLostFields(folder)).toEqual([]);
    const create = `operations:
  ticketing_create_ticket:
    needs: Write
    response: ticket
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

  it('is compiled again when a file that was missing or broken is mended', () => {
    scaffold('mended', 'ticketing', { parent });
    const folder = new ProviderFolder('mended', parent);
    const mapped = () => compiledOf(folder).document.mappings.get('ticket')?.run({ id: 7 })?.record;
    change('mended', 'mappings/ticket.yaml', 'this.id.string()', 'this.id.strng()');
    change('mended', 'mappings/ticket.yaml', 'this.id.strng()', '"mended"');
    expect(mapped()).toMatchObject({ id: 'mended' });
    const text = folder.read('mappings/ticket.yaml');
    writeFileSync(new URL('mappings/ticket.yaml', folder.url), text.replace('"mended"', '"again"'));
    expect(mapped()).toMatchObject({ id: 'again' });
  });

  it('reports all its faults at once, in every file, with line, column and caret', () => {
    scaffold('faulty', 'ticketing', { parent });
    change('faulty', 'mappings/ticket.yaml', 'this.id.string()', 'this.id.strng()');
    const faults = change('faulty', 'provider.yaml', 'needs: Read', 'need: Read');
    expect(faults[0]).toMatch(
      /^libs\/providers\/faulty\/mappings\/ticket.yaml: line 6, column 30: .*\n.*\n6 \| .*root\.id.*\n {2}\| +\^\nDid you mean string/,
    );
    expect(faults.slice(1).join('\n')).toMatch(
      /provider.yaml: line \d+, column 5: unknown key "need"/,
    );
  });

  it('warns of names in expressions and mappings that mean something else than they say', () => {
    scaffold('doubtful', 'ticketing', { parent });
    change('doubtful', 'mappings/ticket.yaml', 'this.text', 'this.text.trim');
    const message = 'message: this.body.error.message';
    const faults = change('doubtful', 'provider.yaml', message, `${message}.lowercase`);
    expect(faults).toEqual([
      expect.stringMatching(
        /^libs\/providers\/doubtful\/mappings\/ticket.yaml: line 9, column 34: \.trim is read as a field/,
      ),
      expect.stringMatching(
        /^libs\/providers\/doubtful\/provider.yaml: line \d+, column 36: \.lowercase is read as a field .*\n.*\n\d+ \| {3}message: this\.body\.error\.message\.lowercase\n(?:.*\n)?Did you mean \.lowercase\(\)/,
      ),
    ]);
  });

  it('warns of what a match means by `this` in the fake, too', () => {
    scaffold('matched', 'ticketing', { parent });
    const faults = change(
      'matched',
      'fake.yaml',
      'root.total = this.page.total',
      'root.total = match this.page.more { true => this.page.total, _ => 0 }',
    );
    expect(faults).toEqual([
      expect.stringMatching(
        /^libs\/providers\/matched\/fake.yaml: line \d+, column \d+: this is the subject of the match here, and has no field page\.total/,
      ),
    ]);
  });

  it('reports a missing mapping, and one that is not used', () => {
    scaffold('lost', 'ticketing', { parent });
    expect(change('lost', 'provider.yaml', 'mappings/ticket.yaml', 'mappings/other.yaml')).toEqual([
      'libs/providers/lost/provider.yaml: mappings/other.yaml does not exist',
      'libs/providers/lost/mappings/ticket.yaml: the document does not name this file',
    ]);
  });

  it('has a table that must agree with the document', () => {
    writeDesk(parent, 'table');
    const readme = 'README.md';
    expect(withoutRecordings(change('table', readme, '| works', '| is ok'))).toEqual([
      expect.stringMatching(/line \d+: ticketing_list_projects neither "works" nor/),
    ]);
    expect(withoutRecordings(change('table', readme, '| is ok', '| 501  '))).toEqual([
      expect.stringContaining('ticketing_list_projects is 501, but provider.yaml declares'),
    ]);
    const reason = '  ticketing_list_on_call: it is not written yet\n';
    expect(change('table', 'provider.yaml', reason, '')).toContain(
      'libs/providers/table/provider.yaml: ticketing_table neither declares ticketing_list_on_call nor says under unsupported why the vendor cannot serve it',
    );
    change('table', 'provider.yaml', 'unsupported:\n', `unsupported:\n${reason}`);
    expect(
      withoutRecordings(
        change('table', readme, '`ticketing_list_projects`', '`ticketing_list_on_call`'),
      ),
    ).toEqual([
      expect.stringContaining('ticketing_list_on_call has a line already'),
      expect.stringContaining('its table has no line for ticketing_list_projects'),
    ]);
  });

  it('needs fixtures of all failures that its verification distinguishes', () => {
    writeDesk(parent, 'tried');
    const more =
      'needs: Read\n  - path: /me\n    needs: Profile\n    passes: this.body.ok\n  - path: /us\n    needs: Group\n    passes: this.body.ok\n    message: this.body.why\n';
    expect(change('tried', 'provider.yaml', 'needs: Read\n', more)).toEqual([
      expect.stringContaining('verify.yaml: the case works is missing, a good configuration'),
      expect.stringMatching(
        /verify\.yaml: the case missing_2 is missing, a credential without the permission "Profile"; npm run/,
      ),
      expect.stringContaining('the case wrong_3 is missing, a configuration that names'),
    ]);
    writeFileSync(new URL('tried/fixtures/verify.yaml', parent), 'cases: { works: {}, other: {} }');
    expect(change('tried', 'provider.yaml', more, 'needs: Read\n')).toEqual([
      expect.stringContaining('verify.yaml: verify of the document has no case other'),
    ]);
  });

  it('must have a verification', () => {
    scaffold('untried', 'ticketing', { parent });
    const faults = change(
      'untried',
      'provider.yaml',
      'verify:\n  - path: /tickets\n    query: root.limit = 1\n    needs: Read\n',
      '',
    );
    expect(faults[0]).toContain('provider.yaml: it has no verify');
  });

  it('needs the evidence for the proof that it claims', () => {
    writeDesk(parent, 'proof');
    const claimed = change('proof', 'provider.yaml', 'proof: none', 'proof: vendor-description');
    expect(claimed).toContain(
      'libs/providers/proof/provider.yaml: proof is vendor-description, but description does not exist',
    );
    change('proof', 'provider.yaml', 'proof: vendor-description', 'proof: none');
    expect(
      withoutRecordings(change('proof', 'README.md', '**Proven** against', 'Tried with')),
    ).toEqual([
      'libs/providers/proof/README.md: it must say what the provider was **Proven** against',
    ]);
  });
});
