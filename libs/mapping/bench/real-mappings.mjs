// Reads the mappings of real size: a folder each, with the template, an input, and a function by hand that does the same.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./real/', import.meta.url);
const text = (file) => readFileSync(new URL(file, folder), 'utf8');

/** Returns `{ name, template, input, byHand }` of each, by name. */
export async function readRealMappings() {
  const names = readdirSync(folder).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      template: text(`${name}/mapping.blobl`),
      input: JSON.parse(text(`${name}/input.json`)),
      byHand: (await import(new URL(`${name}/by-hand.mjs`, folder))).default,
    })),
  );
}

/** Returns so many records that differ from an input in each of their texts that have digits, so that no two are the same. */
export function variantsOf(input, count) {
  return Array.from({ length: count }, (_one, index) => vary(input, index));
}

/** The last digit of a text stays a digit, so that times and numbers stay valid. */
function vary(value, index) {
  if (typeof value === 'string') return value.replace(/\d(?=\D*$)/, String((index % 9) + 1));
  if (typeof value === 'number') return Number.isInteger(value) ? value + (index % 3) : value;
  if (Array.isArray(value)) return value.map((one) => vary(one, index));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, vary(one, index)]));
}
