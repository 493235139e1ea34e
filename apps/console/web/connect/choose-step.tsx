import { useState } from 'preact/hooks';
import { Field } from '../parts/field.js';
import { Monogram } from '../parts/monogram.js';
import { call, isEnded } from './session.js';
import { Ended, Failure } from './failure.js';
import { Heading } from './heading.js';
import { Card, Skeleton } from './notice.js';
import { useLoaded } from './use-loaded.js';
import { theme } from './theme.js';
import { fill, words } from './words.js';

/** A search is of use where there are more systems than one sees at once. */
const maxWithoutSearch = 8;

/** The first step: which of the systems of the session it is. */
export function ChooseStep({ onChoose }: { onChoose: (id: string) => void }) {
  const [text, setText] = useState('');
  const read = useLoaded('providers', (signal) => call('capabilities_list_providers', {}, signal));
  const { chooseTitle, title, titleFor, find, noneFound, noneOffered } = words.value;
  if (isEnded.value) return <Ended />;
  if (read.error) return <Failure error={read.error} provider="" onRetry={read.retry} />;
  if (read.value === undefined) return <Skeleton lines={6} />;
  const all = read.value.result;
  if (all.length === 0) return <Card title={title} text={noneOffered} />;
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter(({ fullname, vendor }) =>
    wanted.every((word) => `${fullname} ${vendor}`.toLowerCase().includes(word)),
  );
  const product = theme.value.product_name;
  return (
    <>
      <p class="lead">{product ? fill(titleFor, { product }) : title}</p>
      <Heading>{chooseTitle}</Heading>
      {all.length > maxWithoutSearch && (
        <Field label={find} type="search" value={text} onInput={setText} />
      )}
      {shown.length === 0 && <p class="empty card">{fill(noneFound, { text })}</p>}
      <ul class="tiles wide-tiles">
        {shown.map(({ id, fullname, vendor }) => (
          <li key={id}>
            <button type="button" class="tile" onClick={() => onChoose(id)}>
              <Monogram id={id} name={fullname} />
              <span>
                <strong dir="auto">{fullname}</strong>
                {vendor !== fullname && <small dir="auto">{vendor}</small>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
