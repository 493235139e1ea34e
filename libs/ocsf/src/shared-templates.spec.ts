import { describe, expect, it } from '@jest/globals';
import { compileDocument } from '@onefold/mapping';
import { lintRecord, sharedTemplate, sharedTemplateSources } from './index.js';

/** A mapping document with one template, as a customer would write it. */
function map(template: string, input: unknown): unknown {
  const lines = template.split('\n').map((line) => `    ${line}`);
  const document = `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n${lines.join('\n')}\n`;
  return compileDocument(document, { shared: sharedTemplate }).run(input)?.record;
}

const examples = [...sharedTemplateSources()].flatMap(([name, { examples: pairs }]) =>
  pairs.map(([input, output]) => [name, input, output] as const),
);

describe('shared templates', () => {
  it('have an explanation and an example each', () => {
    for (const [name, { about, examples: pairs }] of sharedTemplateSources()) {
      expect(name).toMatch(/^(?:ocsf|text)\.[a-z_]+$/);
      expect([name, about.length > 10, pairs.length > 0]).toEqual([name, true, true]);
    }
    expect(sharedTemplateSources().size).toBeGreaterThan(25);
  });

  it.each(examples)('%s of %j is %j', (name, input, output) => {
    expect(map(`root.out = this.in.apply("${name}")`, { in: input })).toEqual({ out: output });
  });

  it('are found only by their whole names', () => {
    expect(sharedTemplate('device')).toBeUndefined();
    expect(sharedTemplate('ocsf.nothing')).toBeUndefined();
    expect(() => map('root.a = this.apply("ocsf.nothing")', {})).toThrow(
      'there is no template "ocsf.nothing"',
    );
  });

  it('give way to a template of the document, also where they apply each other', () => {
    const document = [
      'engine: bloblang_direct',
      'version: "1.0"',
      'templates:',
      '  default: root = this.score.apply("ocsf.severity_cvss")',
      '  ocsf.severity_caption: root = "ours"',
      '',
    ].join('\n');
    const compiled = compileDocument(document, { shared: sharedTemplate });
    expect(compiled.run({ score: 9.8 })?.record).toEqual({ severity_id: 5, severity: 'ours' });
  });

  it('leave out what has no value, whatever is missing', () => {
    const names = ['device', 'user', 'group', 'endpoint', 'metadata', 'vulnerability', 'attack'];
    for (const name of [...names, 'finding_info', 'file', 'process'])
      expect(lintFillers(map(`root = this.apply("ocsf.${name}")`, {}))).toEqual([]);
  });

  it('give severities that the lint accepts, for every word and number', () => {
    const inputs: Record<string, unknown[]> = {
      severity: ['Critical', 'high', 'MEDIUM', 'low', 'info', '', 'odd'],
      severity_cvss: [0, 0.1, 3.9, 4, 6.9, 7, 8.9, 9, 10],
      severity_crowdstrike: [1, 19, 20, 49, 50, 69, 70, 89, 90, 100],
      severity_tenable: [0, 1, 2, 3, 4],
      severity_qualys: [1, 2, 3, 4, 5],
      severity_guardduty: [1, 3.9, 4, 6.9, 7, 8.9, 9, 10],
      severity_security_hub: [0, 1, 39, 40, 69, 70, 89, 90, 100],
      severity_okta: ['DEBUG', 'INFO', 'WARN', 'ERROR', 'OTHER'],
      severity_elastic: [0, 21, 22, 47, 48, 73, 74, 100],
      severity_servicenow: [1, 2, 3, 4, 5],
    };
    const ids: Record<string, number[]> = {};
    for (const [name, values] of Object.entries(inputs)) {
      const results = values.map(
        (value) => (map(`root.out = this.in.apply("ocsf.${name}")`, { in: value }) as Out).out,
      );
      ids[name] = results.map((one) => one.severity_id);
      for (const result of results)
        expect(lintRecord({ ...flow, ...result })).toEqual({ errors: [], warnings: [] });
    }
    expect(ids).toEqual({
      severity: [5, 4, 3, 2, 1, 0, 99],
      severity_cvss: [1, 2, 2, 3, 3, 4, 4, 5, 5],
      severity_crowdstrike: [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
      severity_tenable: [1, 2, 3, 4, 5],
      severity_qualys: [2, 2, 3, 4, 5],
      severity_guardduty: [2, 2, 3, 3, 4, 4, 5, 5],
      severity_security_hub: [1, 2, 2, 3, 3, 4, 4, 5, 5],
      severity_okta: [1, 1, 3, 4, 99],
      severity_elastic: [2, 2, 3, 3, 4, 4, 5, 5],
      severity_servicenow: [5, 4, 3, 2, 1],
    });
  });
});

/** Fields at any depth whose value says nothing. */
function lintFillers(value: unknown): string[] {
  return Object.entries(value as object).flatMap(([key, inner]: [string, unknown]) => {
    const text = JSON.stringify(inner);
    if (['null', '""', '[]', '{}', '"null"'].includes(text)) return [key];
    return typeof inner === 'object' ? lintFillers(inner) : [];
  });
}

type Out = { out: { severity_id: number; severity: string } };

const flow = {
  activity_id: 6,
  category_uid: 4,
  class_uid: 4001,
  type_uid: 400_106,
  time: 1_795_000_000_000,
  metadata: { version: '1.8.0', uid: 'm', product: { name: 'VPC', vendor_name: 'AWS' } },
  src_endpoint: { ip: '10.20.0.21' },
};
