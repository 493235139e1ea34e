import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { version } from './version.js';

it('is the version of package.json', () => {
  const { version: ofPackage } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    version: string;
  };
  expect(version).toBe(ofPackage);
});
