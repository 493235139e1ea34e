import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { slowShapes } from './growth.js';
import { notMeasured, textFunctions } from './text-functions.js';

const root = new URL('../../../', import.meta.url); // The folder above dist.
const length = 120_000;

/** Rooms that no text of a stranger reaches, and methods of the mapping language, all of which growth.spec.ts measures as such. */
const others =
  /^(?:libs\/(?:config|embedded|fakes|mapping\/src\/(?:codegen|command|methods)|mocks|ocsf\/src\/command|queue|secrets|store)|apps\/(?:admin|bridge-agent|console|operations|provider-kit|standalone))\//;
const declared =
  /^export (?:async )?function (\w+)\(\s*(?:text|source|document|xml|base64|bytes|header|address|message|head)\??: (?:string|Buffer|Uint8Array)\b/gm;

/** Exported functions whose first parameter is a text or its bytes, by file and name. */
function findTextFunctions(): string[] {
  return ['libs', 'apps'].flatMap((room) =>
    readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })
      .map((name) => `${room}/${name}`)
      .filter((name) => /\.ts$/.test(name) && !/\.(?:spec|fixture|d)\.ts$/.test(name))
      .filter((name) => !/\/(?:node_modules|dist|generated)\//.test(name) && !others.test(name))
      .flatMap((name) =>
        [...readFileSync(new URL(name, root), 'utf8').matchAll(declared)].map(
          ([, exported]) => `${name} ${exported}`,
        ),
      ),
  );
}

describe('a function that reads a text of a stranger', () => {
  it('is measured, or has the reason why not', () => {
    const listed = [...Object.keys(textFunctions), ...Object.keys(notMeasured)];
    expect(listed.toSorted()).toEqual(findTextFunctions().toSorted());
  });

  it.each(Object.entries(textFunctions))('takes no longer than the text is long: %s', (_, read) => {
    expect(slowShapes(read, length)).toEqual([]);
  });
});
