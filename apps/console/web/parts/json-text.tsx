/** Longer texts have one colour: each part of a colour is an element of the page. */
const maxColored = 60_000;

type Kind = 'key' | 'text' | 'value' | '';

/** A JSON text with its keys, texts and other values in their colours; every character stays as it is. */
export function JsonText({ text }: { text: string }) {
  if (text.length > maxColored || !/^\s*[[{]/.test(text)) return <>{text}</>;
  return (
    <>
      {partsOf(text).map(([kind, part], index) =>
        kind === '' ? (
          part
        ) : (
          <span key={index} class={`json-${kind}`}>
            {part}
          </span>
        ),
      )}
    </>
  );
}

function partsOf(text: string): (readonly [Kind, string])[] {
  const parts: (readonly [Kind, string])[] = [];
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    const [whole, quoted, colon] = found;
    parts.push(['', text.slice(end, found.index)]);
    if (quoted === undefined) parts.push(['value', whole]);
    else parts.push([colon === undefined ? 'text' : 'key', quoted], ['', colon ?? '']);
    end = found.index + whole.length;
  }
  return [...parts, ['', text.slice(end)]];
}
