import type * as entities from 'entities';
import { optionalPackage } from '../../language/optional-package.js';
import type { Cost, Method } from '../../language/specification.js';
import { flat } from '../costs.js';
import { decodeUri, escapeHtml, goQuote, goUnquote } from './escapes.js';
import { wellFormed } from '../text.js';
import { textMethod } from '../text-method.js';

const library = optionalPackage<typeof entities>('entities', 8);

const price = (nanoseconds: number): Cost => ({ ...flat, nanoseconds });

export const escapeMethods: readonly Method[] = [
  textMethod(
    'escape_html',
    'With HTML escapes.',
    {
      cost: price(100),
      returns: 'made',
      examples: [['root = this.escape_html()', '"foo & bar"', '"foo &amp; bar"']],
    },
    escapeHtml,
  ),
  textMethod(
    'unescape_html',
    'Without HTML escapes.',
    {
      cost: price(100),
      returns: 'made',
      needs: library,
      examples: [['root = this.unescape_html()', '"foo &amp; bar"', '"foo & bar"']],
    },
    (value) => library.load().decodeHTML(value),
  ),
  textMethod(
    'escape_url_query',
    'As a part of a URL query.',
    {
      cost: price(60),
      examples: [['root = this.escape_url_query()', '"foo & bar"', '"foo+%26+bar"']],
    },
    (value) =>
      encodeURIComponent(wellFormed(value))
        .replace(/%20/g, '+')
        .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  ),
  textMethod(
    'unescape_url_query',
    'Out of a part of a URL query.',
    {
      cost: price(40),
      examples: [['root = this.unescape_url_query()', '"foo+%26+bar"', '"foo & bar"']],
    },
    (value) => decodeUri(value.replaceAll('+', ' ')),
  ),
  textMethod(
    'escape_url_path',
    'As a part of a URL path.',
    {
      cost: price(60),
      examples: [['root = this.escape_url_path()', '"foo & bar/baz"', '"foo%20&%20bar%2Fbaz"']],
    },
    (value) =>
      encodeURIComponent(wellFormed(value))
        .replace(/%(?:24|26|2B|3A|3D|40)/g, (code) => decodeURIComponent(code))
        .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  ),
  textMethod(
    'unescape_url_path',
    'Out of a part of a URL path.',
    {
      cost: price(40),
      examples: [['root = this.unescape_url_path()', '"foo%20&%20bar"', '"foo & bar"']],
    },
    decodeUri,
  ),
  textMethod(
    'quote',
    'In quotes, with escapes.',
    {
      cost: price(100),
      returns: 'made',
      examples: [['root = this.quote()', '"foo\\nbar"', '"\\"foo\\\\nbar\\""']],
    },
    goQuote,
  ),
  textMethod(
    'unquote',
    'Without quotes and escapes.',
    {
      cost: price(100),
      examples: [['root = this.unquote()', '"\\"foo\\\\nbar\\""', '"foo\\nbar"']],
    },
    goUnquote,
  ),
];
