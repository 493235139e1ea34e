import type { Done } from './access.js';
import { tell } from './host.js';
import { Heading } from './heading.js';
import { hello, session } from './session.js';
import { fill, words } from './words.js';

/** The last step: what was wanted is done. */
export function DoneStep({ done: { name, isCreated, isDeleted } }: { done: Done }) {
  const { connectedTitle, renewedTitle, connectedText, returning, done, manage } = words.value;
  const title = isDeleted ? manage.disconnected : isCreated ? connectedTitle : renewedTitle;
  const text = isDeleted ? manage.disconnectedText : connectedText;
  return (
    <section class="card notice-card done">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="m14 25 7 7 13-15" />
      </svg>
      <Heading>{fill(title, { name })}</Heading>
      <p>{session.value?.return_url ? returning : text}</p>
      {hello.value?.isDialog && (
        <button
          type="button"
          class="primary"
          onClick={() => tell({ type: 'closed', reason: 'complete' })}
        >
          {done}
        </button>
      )}
    </section>
  );
}
