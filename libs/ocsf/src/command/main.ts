import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { program } from './program.js';

process.exitCode = await program(process.argv.slice(2), {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  read: async (file) => {
    if (file === '-') return text(process.stdin);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  },
});
