// Fails if a regular expression of the product can take longer than its input is long: each is searched for an input that makes it
// backtrack, by the kept tool recheck. Expressions without an unlimited repetition cannot. Verdicts are kept in .cache/.
//   node tools/check-patterns.mjs            checks all
//   node tools/check-patterns.mjs --list     prints each expression with its places and its verdict
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { root } from './install.mjs';

/** Expressions that may be slow, or that the tool cannot judge, each with the reason why no stranger can make them so. */
const exceptions = {
  '/January|Jan|Monday|Mon|MST|2006|Z07:00:00|Z07:00|Z0700|Z07|-07:00:00|-07:00|-0700|-07|[.,]0+(?!\\d)|[.,]9+(?!\\d)|002|__2|01|02|03|04|05|06|15|PM|pm|_2|1|2|3|4|5/g':
    'repeats only behind a sign that no repetition reads, so its work is linear: the tool counts the many alternatives of each sign',
  '/\\bif\\b[^{]*$/': 'reads at most 200 characters: maxLineLength of language/remedies.ts',
};
/** Files that make expressions as they run, each with the reason why what they make is not slow. */
const makers = {
  'libs/config/src/ids.ts': 'of an alphabet of ours',
  'libs/fakes/src/document/read-fake.ts': 'those of read-route.ts, in any case',
  'libs/fakes/src/document/read-route.ts': 'of paths of fakes: no part matches the sign behind it',
  'libs/fakes/src/engine/credentials.ts': 'of fakes, which no stranger writes',
  'libs/fakes/src/languages/kql.ts': 'a literal text between two looks',
  'libs/fakes/src/languages/predicates.ts':
    'wildcards of a query that a fake gets, at most 1,000 characters',
  'libs/fakes/src/languages/spl.ts':
    'wildcards of a query that a fake gets, at most 1,000 characters',
  'libs/fakes/src/languages/sysparm.ts': 'of operators of ours, anchored',
  'libs/mapping/src/methods/patterns/native-pattern.ts':
    'patterns of customers whose work was found to be linear: pattern-work.ts',
  'libs/mapping/src/methods/times/parse-time.ts':
    'of the tokens of a layout, anchored, each of limited length',
  'libs/mapping/src/methods/times/time-values.ts': 'of parts of ours, anchored',
  'libs/ocsf/src/formats.ts': 'of parts of ours without a repetition',
  'libs/provider-document/src/compile-step.ts': 'a literal name of a step',
  'libs/provider-document/src/visible-names.ts': 'a literal name',
  'libs/providers/s3/client.ts': 'a literal name, and what is not a sign of markup',
  'libs/secrets/src/token-secret.ts': 'the expression of the same file',
  'apps/provider-kit/src/given-tokens.ts': 'of the kit, which reads recordings of its author',
  'apps/provider-kit/src/model/model-report.ts':
    'of the kit, which reads the model.yaml of its author',
  'apps/provider-kit/src/model/trace-fields.ts':
    'of the kit, which reads the model.yaml of its author',
};
/** For each expression; the usual ones take some milliseconds. */
const timeoutMs = 120_000;
const cache = join(root, '.cache/patterns.json');

const { literals, made } = findPatterns();
const verdicts = existsSync(cache) ? JSON.parse(readFileSync(cache, 'utf8')) : {};
const faults = [];
for (const [text, places] of literals) {
  verdicts[text] ??= await judge(text);
  const { status, attack } = verdicts[text];
  if (process.argv.includes('--list')) console.log(`${status}\t${text}\t${places.join(' ')}`);
  const isSafe = status === 'safe';
  if (isSafe || exceptions[text] !== undefined) continue;
  faults.push(`${places.join(', ')}: ${text} is ${status}${attack ? `: slow for ${attack}` : ''}`);
}
for (const text of Object.keys(exceptions))
  // One that is found safe may stay: what the tool finds of it in its time depends on the machine.
  if (!literals.has(text))
    faults.push(`${text} is not an exception any more: delete it from tools/check-patterns.mjs`);
for (const file of made)
  if (makers[file] === undefined)
    faults.push(`${file} makes an expression: say in tools/check-patterns.mjs why it is not slow`);
for (const file of Object.keys(makers))
  if (!made.has(file))
    faults.push(`${file} makes no expression: delete it from check-patterns.mjs`);
mkdirSync(join(root, '.cache'), { recursive: true });
const kept = Object.entries(verdicts).filter(
  ([text, { status }]) => literals.has(text) && status !== 'unknown',
);
writeFileSync(cache, JSON.stringify(Object.fromEntries(kept)));
for (const fault of faults) console.error(fault);
if (faults.length === 0)
  console.log(
    `${literals.size} expressions take no longer than their input is long, ${Object.keys(exceptions).length} exceptions`,
  );
process.exit(faults.length === 0 ? 0 : 1);

/** Lists the literals of the product, by text with their places, and the files that make expressions. */
function findPatterns() {
  const literals = new Map();
  const made = new Set();
  for (const file of sources()) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node) => {
      if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        literals.set(node.text, [...(literals.get(node.text) ?? []), `${file}:${line + 1}`]);
      }
      if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') made.add(file);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { literals, made };
}

function sources() {
  return ['libs', 'apps'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true })
      .map((name) => join(room, name))
      .filter((name) => name.endsWith('.ts') && !/\.(?:spec|fixture|d)\.ts$/.test(name))
      .filter((name) => !/(?:^|\/)(?:node_modules|dist|web)\//.test(name)),
  );
}

async function judge(text) {
  const end = text.lastIndexOf('/');
  const source = text.slice(1, end);
  if (!repeats(source)) return { status: 'safe' };
  const verdict = await check(source, text.slice(end + 1), {
    timeout: timeoutMs,
    randomSeed: 1, // the same verdict in each run
  });
  const attack = verdict.status === 'vulnerable' ? verdict.attack : undefined;
  return { status: verdict.status, ...(attack && { attack: attack.pattern }) };
}

/** True for an expression with a repetition that has no limit. */
function repeats(source) {
  const bare = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  return /[*+]|\{\d+,\}/.test(bare);
}
