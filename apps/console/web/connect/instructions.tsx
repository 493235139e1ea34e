import type { Provider } from './access.js';
import { providerText } from './provider-text.js';
import { fill, words } from './words.js';

/** As wide as form and instructions side by side. */
const wide = '(min-width: 760px)';

/** How somebody gets access at the provider, in the texts of its document. */
export function Instructions({ provider }: { provider: Provider }) {
  const { fullname, setup, operations } = provider;
  const { instructions, open, permissions } = words.value;
  const ofOperations = new Set((operations ?? []).flatMap((one) => one.needs ?? []));
  const needs = setup?.permissions ?? [...ofOperations];
  if (!setup && needs.length === 0) return null;
  return (
    <details class="instructions" open={matchMedia(wide).matches}>
      <summary>{instructions}</summary>
      {setup && (
        <ol class="bullets" dir="ltr">
          <Items provider={provider} texts={setup.steps} />
        </ol>
      )}
      {setup?.link !== undefined && (
        <p>
          <a href={setup.link} target="_blank" rel="noopener noreferrer">
            {fill(open, { provider: fullname })}
          </a>
        </p>
      )}
      {needs.length > 0 && (
        <>
          <h2>{permissions}</h2>
          <ul class="bullets" dir="ltr">
            <Items provider={provider} texts={needs} />
          </ul>
        </>
      )}
    </details>
  );
}

/** Texts of the document as items of a list, each in the language that it has. */
function Items({ provider, texts }: { provider: Provider; texts: readonly string[] }) {
  return texts.map((one) => {
    const { text, language } = providerText(provider, one);
    return (
      <li key={one} lang={language}>
        {text}
      </li>
    );
  });
}
