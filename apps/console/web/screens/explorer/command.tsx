import { useState } from 'preact/hooks';
import { requestOf } from '../../api/client.js';
import { languages } from '../../api/code.js';
import type { Input } from '../../api/operations.js';
import { Copy } from '../../parts/copy.js';
import type { Declared } from '../../api/api-documents.js';
import { CopyToken } from './copy-token.js';
import { withPlaceholders } from './request-input.js';
import type { Target } from './target.js';

interface Props {
  operation: Declared;
  /** Undefined for the management API. */
  target: Target | undefined;
  input: Input;
}

/** The request as a command and as programs. */
export function Command({ operation, target, input }: Props) {
  const [language, setLanguage] = useState('curl');
  const request = requestOf(operation.id, withPlaceholders(operation, input));
  const text = languages[language]?.write({ ...request, isAuthorized: true }) ?? '';
  return (
    <section class="card" aria-labelledby="command">
      <h2 id="command">Command</h2>
      <div class="switch" role="group" aria-label="Language">
        {Object.entries(languages).map(([id, { label }]) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === language}
            onClick={() => setLanguage(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="command">
        <code tabIndex={0}>{text}</code>
        <Copy text={text} name="command" />
      </div>
      <p class="hint">
        Put {target === undefined ? 'your token' : 'a token of the integration'} into the variable{' '}
        <code>TOKEN</code>
        {language === 'curl'
          ? ', and paste the command into a terminal.'
          : ' of its environment.'}{' '}
        {target && <CopyToken path={target.path} />}
      </p>
    </section>
  );
}
