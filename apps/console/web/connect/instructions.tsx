import type { Provider } from './access.js';
import { namingHost } from './provider-text.js';
import { fill, words } from './words.js';

/** As wide as form and instructions side by side. */
const wide = '(min-width: 760px)';

/** How somebody gets access at the provider. The texts are those of the provider document, in English. */
export function Instructions({
  provider: { fullname, setup, operations },
}: {
  provider: Provider;
}) {
  const { instructions, open, permissions } = words.value;
  const ofOperations = new Set((operations ?? []).flatMap((one) => one.needs ?? []));
  const needs = setup?.permissions ?? [...ofOperations];
  if (!setup && needs.length === 0) return null;
  return (
    <details class="instructions" open={matchMedia(wide).matches}>
      <summary>{instructions}</summary>
      {setup && (
        <ol class="bullets" lang="en" dir="ltr">
          {setup.steps.map((one) => (
            <li key={one}>{namingHost(one)}</li>
          ))}
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
          <ul class="bullets" lang="en" dir="ltr">
            {needs.map((one) => (
              <li key={one}>{namingHost(one)}</li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
