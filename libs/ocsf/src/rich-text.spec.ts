import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileDocument } from '@onefold/mapping';
import { sharedTemplate } from './index.js';

/** A document that writes a text in Markdown as a vendor has it and reads it again, and shows both as trees. */
const over = (write: string, read: string) =>
  compileDocument(
    `engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root.given = this.text.parse_markdown()
    root.found = this.text.apply("${write}").apply("${read}").parse_markdown()
`,
    { shared: sharedTemplate },
  );

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(' '));
const link = fc
  .record({ text: words, path: word })
  .map(({ text, path }) => `[${text}](https://x.example/${path})`);
const code = words.map((text) => `\`${text}\``);
const marked = fc.oneof(
  words.map((text) => `**${text}**`),
  words.map((text) => `_${text}_`),
  words.map((text) => `~~${text}~~`),
);
const part = fc.oneof(words, words, marked, link, code, fc.constantFrom('a < b', 'R&D', '<!here>'));
const line = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));
const paragraph = fc.array(line, { minLength: 1, maxLength: 2 }).map((lines) => lines.join('\n'));
const bullets = fc
  .array(line, { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map((one) => `- ${one}`).join('\n'));
const numbers = fc
  .array(line, { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map((one, index) => `${index + 1}. ${one}`).join('\n'));
const quote = line.map((text) => `> ${text}`);
const block = fc
  .array(words, { minLength: 1, maxLength: 2 })
  .map((lines) => ['```', ...lines, '```'].join('\n'));
/** Lists stand apart: one behind another of its kind would go on with it. */
const text = fc
  .array(fc.tuple(fc.oneof(paragraph, quote, block), fc.oneof(bullets, numbers)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((pairs) => pairs.flat().join('\n\n'));

describe.each([
  ['Slack', 'text.to_slack', 'text.from_slack'],
  ['Atlassian', 'text.to_adf', 'text.from_adf'],
  ['vendors with HTML', 'text.to_html', 'text.from_html'],
])('a text in Markdown, written for %s', (_vendor, write, read) => {
  const document = over(write, read);

  it('is the same when it is read again', () => {
    fc.assert(
      fc.property(text, (markdown) => {
        const { given, found } = document.run({ text: markdown })?.record as Record<
          string,
          unknown
        >;
        expect(found).toEqual(given);
      }),
    );
  });
});
