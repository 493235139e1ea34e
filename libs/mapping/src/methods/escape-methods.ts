import type * as entities from 'entities';
import { optionalPackage } from '../language/optional-package.js';
import type { Method } from '../language/specification.js';
import { decodeUri, escapeHtml, goQuote, goUnquote } from './escapes.js';
import { wellFormed } from './text.js';
import { textMethod } from './text-method.js';

const library = optionalPackage<typeof entities>('entities', 8);

export const escapeMethods: readonly Method[] = [
  textMethod('escape_html', 'With HTML escapes.', escapeHtml, [
    ['root = this.escape_html()', '"foo & bar"', '"foo &amp; bar"'],
  ]),
  textMethod(
    'unescape_html',
    'Without HTML escapes.',
    (value) => library.load().decodeHTML(value),
    [['root = this.unescape_html()', '"foo &amp; bar"', '"foo & bar"']],
    library,
  ),
  textMethod(
    'escape_url_query',
    'As a part of a URL query.',
    (value) =>
      encodeURIComponent(wellFormed(value))
        .replace(/%20/g, '+')
        .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    [['root = this.escape_url_query()', '"foo & bar"', '"foo+%26+bar"']],
  ),
  textMethod(
    'unescape_url_query',
    'Out of a part of a URL query.',
    (value) => decodeUri(value.replaceAll('+', ' ')),
    [['root = this.unescape_url_query()', '"foo+%26+bar"', '"foo & bar"']],
  ),
  textMethod(
    'escape_url_path',
    'As a part of a URL path.',
    (value) =>
      encodeURIComponent(wellFormed(value))
        .replace(/%(?:24|26|2B|3A|3D|40)/g, (code) => decodeURIComponent(code))
        .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    [['root = this.escape_url_path()', '"foo & bar/baz"', '"foo%20&%20bar%2Fbaz"']],
  ),
  textMethod('unescape_url_path', 'Out of a part of a URL path.', decodeUri, [
    ['root = this.unescape_url_path()', '"foo%20&%20bar"', '"foo & bar"'],
  ]),
  textMethod('quote', 'In quotes, with escapes.', goQuote, [
    ['root = this.quote()', '"foo\\nbar"', '"\\"foo\\\\nbar\\""'],
  ]),
  textMethod('unquote', 'Without quotes and escapes.', goUnquote, [
    ['root = this.unquote()', '"\\"foo\\\\nbar\\""', '"foo\\nbar"'],
  ]),
];
