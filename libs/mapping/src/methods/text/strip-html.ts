import type { Run } from '../../language/run.js';
import { escapeHtml } from './escapes.js';
import { markupLibrary } from '../documents/markup-library.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Elements that mean something without attributes. Those that do not, such as links, go even when they are to be preserved. */
const plain = words(
  'abbr acronym address article aside audio b bdi blockquote body br button canvas caption center cite code col colgroup ' +
    'datalist dd del details dfn div dl dt em fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 head header hgroup hr html i ' +
    'ins kbd li mark marquee nav ol optgroup option p pre q rp rt ruby s samp script section select small span strike strong ' +
    'style sub summary sup svg table tbody td textarea tfoot th thead time title tr tt u ul var video wbr',
);

/** Elements whose content is not text for people. */
const hidden = words(
  'frame frameset iframe noembed noframes noscript nostyle object script style title',
);

/** A text without tags, but for elements that are to stay, which lose their attributes. What stays is escaped. */
export function stripHtml(text: string, preserve: ReadonlySet<string>, run: Run): string {
  run.spend(text.length >> 2);
  const parts: string[] = [];
  let [hiddenDepth, tag, raw] = [0, '', ''];
  let length = 0;
  const stays = () => preserve.has(tag) && plain.has(tag);
  const write = (part: string) => {
    if (hiddenDepth > 0) return;
    length += part.length;
    if (length > run.limits.stringLength) run.string(length);
    parts.push(part);
  };
  const put = (start: number, end: number) => {
    const piece = text.slice(start, end);
    write(raw === 'script' || raw === 'style' ? piece : escapeHtml(piece));
  };
  const nothing = () => undefined;
  const { Tokenizer } = markupLibrary.load();
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: put,
      ontextentity: (code) => write(escapeHtml(String.fromCodePoint(code))),
      oncdata: nothing,
      onopentagname: (start, end) => {
        tag = text.slice(start, end).toLowerCase();
      },
      onopentagend: () => {
        raw = tag;
        if (stays()) write(`<${tag}>`);
        else if (!preserve.has(tag) && hidden.has(tag)) hiddenDepth += 1;
      },
      onselfclosingtag: () => {
        if (stays()) write(`<${tag}/>`);
      },
      onclosetag: (start, end) => {
        tag = text.slice(start, end).toLowerCase();
        raw = '';
        if (stays()) write(`</${tag}>`);
        else if (!preserve.has(tag) && hidden.has(tag)) hiddenDepth = Math.max(0, hiddenDepth - 1);
      },
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(text);
  tokenizer.end();
  run.string(length);
  return parts.join('');
}
