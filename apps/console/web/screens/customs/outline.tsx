import type { Position } from '../../parts/text-place.js';

/** Parts whose entries the outline has too. */
const opened = new Set(['providers', 'operations', 'mappings']);

export interface Part {
  name: string;
  isInner: boolean;
  position: Position;
}

/** The parts of a document by its lines, so that one that does not compile has an outline too. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let outer = '';
  let indent: number | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, space = '', name = ''] = /^( *)["']?([\w.-]+)["']?:(?:\s|$)/.exec(line) ?? [];
    if (name === '') continue;
    const position = { line: index + 1, column: space.length + 1 };
    if (space === '') {
      outer = name;
      indent = undefined;
      parts.push({ name, isInner: false, position });
    } else if (opened.has(outer) && space.length === (indent ??= space.length))
      parts.push({ name, isInner: true, position });
  }
  return parts;
}

/** Ids of the providers that a document makes. */
export function providersOf(text: string): string[] {
  const [, one] = /^provider: *["']?(\w+)/m.exec(text) ?? [];
  if (one !== undefined) return [one];
  const parts = partsOf(text);
  const at = parts.findIndex(({ name, isInner }) => name === 'providers' && !isInner);
  if (at === -1) return [];
  const rest = parts.slice(at + 1);
  const end = rest.findIndex(({ isInner }) => !isInner);
  return (end === -1 ? rest : rest.slice(0, end)).map(({ name }) => name);
}

/** Leads to the parts of a document. */
export function Outline({ text, onShow }: { text: string; onShow: (position: Position) => void }) {
  return (
    <ul class="outline">
      {partsOf(text).map(({ name, isInner, position }) => (
        <li key={position.line} class={isInner ? 'inner' : ''}>
          <button type="button" class="quiet" onClick={() => onShow(position)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
