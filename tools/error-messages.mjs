// Prints the texts with which the program refuses something, each once with its first place, for reading all of them in one go.
//   node tools/error-messages.mjs [PART OF A PATH]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './install.mjs';

const [part = ''] = process.argv.slice(2);
/** Functions that make an error or a fault of their texts. */
const makers =
  /^(?:\w*Error|fault|badRequest|notFound|conflict|refuse\w*|fail\w*|throw\w*|wrongType)$/;
/** Properties of an error. */
const properties = new Set(['message', 'remediation', 'rule', 'says', 'problem']);

/** The text of a literal, with the code of its expressions in braces. */
function textOf(node, source) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `{${expression.getText(source)}}${literal.text}`,
  );
  return node.head.text + spans.join('');
}

/** True for a text that a function makes an error of, or that is a property of one. */
function isMessage({ parent }) {
  if (ts.isPropertyAssignment(parent)) return properties.has(parent.name.getText());
  if (ts.isConditionalExpression(parent) || ts.isBinaryExpression(parent)) return isMessage(parent);
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false;
  const name = parent.expression.getText().split('.').at(-1) ?? '';
  return makers.test(name);
}

const texts = new Map();
const listed = execFileSync('git', [
  '-C',
  root,
  'ls-files',
  'apps/*.ts',
  'apps/*.tsx',
  'libs/*.ts',
]);
const files = String(listed)
  .split('\n')
  .filter((file) => file.includes(part) && /\.tsx?$/.test(file))
  .filter((file) => !/\.(?:spec|fixture)\.ts$/.test(file));
for (const file of files) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const visit = (node) => {
    const text = textOf(node, source);
    if (text !== undefined && /\w \w/.test(text) && isMessage(node) && !texts.has(text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      texts.set(text, `${file}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
for (const [text, place] of texts) console.log(`${place}  ${text.replaceAll(/\s+/g, ' ')}`);
