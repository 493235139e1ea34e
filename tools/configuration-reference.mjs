// Writes docs/configuration.md from the configuration classes of the processes; with --check only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const { settingsOf } = await import('#config');
const processes = [
  'standalone',
  'gateway',
  'management',
  'connector',
  'operations',
  'console',
  'admin',
];
const reference = join(root, 'docs/configuration.md');

const lines = [
  '# Configuration',
  '',
  'Every setting is an environment variable. A process refuses to start with a wrong one and lists everything that is wrong.',
  'This page is written by `node tools/configuration-reference.mjs` from the configuration classes; `npm run check` compares.',
];
for (const name of processes) {
  const folder = join(root, `dist/apps/${name}/src`);
  const module = ['configuration.js', `${name}-configuration.js`]
    .map((file) => join(folder, file))
    .find((path) => existsSync(path));
  if (module === undefined) throw new Error(`${folder} has no configuration: run npm run build`);
  const type = (await import(module))[`${name[0].toUpperCase()}${name.slice(1)}Configuration`];
  const defaults = new type();
  lines.push(
    '',
    `## ${name}`,
    '',
    '| Variable | Kind | Default | Purpose |',
    '| --- | --- | --- | --- |',
  );
  for (const setting of settingsOf(type)) {
    const value = setting.default ?? shown(defaults[setting.property]);
    lines.push(`| \`${setting.variable}\` | ${setting.type} | ${value} | ${setting.about} |`);
  }
}
const text = `${lines.join('\n')}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(reference, text);
} else if (!existsSync(reference) || readFileSync(reference, 'utf8') !== text) {
  console.error(
    'docs/configuration.md is not what the configuration classes say. Run node tools/configuration-reference.mjs and commit it.',
  );
  process.exit(1);
}

function shown(value) {
  if (value === undefined) return 'none; required';
  if (Array.isArray(value)) return value.length > 0 ? `\`${value.join(',')}\`` : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return `\`${value}\``;
}
