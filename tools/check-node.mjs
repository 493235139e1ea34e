// Runs the suite on another version of Node:
//   npm run proof -- node 24                  everything
//   npm run proof -- node 24 libs/store       only paths that match
import { delimiter, dirname } from 'node:path';
import { run } from './install.mjs';
import { installNode } from './node-versions.mjs';

const [version, ...paths] = process.argv.slice(2);
if (version === undefined) {
  console.error('Say which version: npm run proof -- node 24');
  process.exit(2);
}
const { node, full } = installNode(version);
console.log(`Node ${full}`);
// Programs that tests start by name get the same version.
run(node, ['tools/test.mjs', ...paths], {
  env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
});
