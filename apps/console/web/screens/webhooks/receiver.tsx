import { useState } from 'preact/hooks';
import { Copy } from '../../parts/copy.js';
import { Field } from '../../parts/field.js';
import { Toned } from '../../parts/state.js';
import { TextArea } from '../../parts/text-area.js';
import { receivers } from './receivers.js';

const [firstLanguage = ''] = Object.keys(receivers);

/** Code for the receiver, and a check of one signature for those whose receiver refuses it. */
export function Receiver() {
  const [language, setLanguage] = useState(firstLanguage);
  const text = receivers[language] ?? '';
  return (
    <section class="card stack" aria-labelledby="receiver">
      <h2 id="receiver">Your receiver</h2>
      <div class="switch" role="group" aria-label="Language">
        {Object.keys(receivers).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === language}
            onClick={() => setLanguage(one)}
          >
            {one}
          </button>
        ))}
      </div>
      <pre role="group" tabIndex={0} aria-label={`Code in ${language}`}>
        {text}
      </pre>
      <p>
        <Copy text={text} name={`code in ${language}`} />
      </p>
      <details>
        <summary>Check a signature</summary>
        <CheckSignature />
      </details>
    </section>
  );
}

/** Computes a signature in the page; nothing of it is sent. */
function CheckSignature() {
  const [secret, setSecret] = useState('');
  const [signature, setSignature] = useState('');
  const [body, setBody] = useState('');
  const [isRight, setRight] = useState<boolean>();
  const change = (set: (text: string) => void) => (text: string) => {
    setRight(undefined);
    set(text);
  };
  const check = async () => setRight((await signatureOf(body, secret)) === signature.trim());
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      <p class="hint">It is computed in this page: neither secret nor body is sent.</p>
      <Field
        label="Secret"
        type="password"
        autocomplete="off"
        isRequired
        value={secret}
        onInput={change(setSecret)}
      />
      <Field
        label="x-onefold-signature"
        isRequired
        placeholder="sha256=…"
        value={signature}
        onInput={change(setSignature)}
      />
      <TextArea
        label="Body, as your receiver got it"
        rows={4}
        isRequired
        value={body}
        onInput={change(setBody)}
      />
      <p>
        <button type="submit">Check this signature</button>
      </p>
      <div role="status">
        {isRight === true && <Toned tone="good">It is right</Toned>}
        {isRight === false && (
          <>
            <Toned tone="bad">It is not the signature of this body by this secret</Toned>
            <p>
              Most receivers that fail parse the body first and sign what they print again. Sign the
              bytes that came.
            </p>
          </>
        )}
      </div>
    </form>
  );
}

async function signatureOf(body: string, secret: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hash = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), hash, false, ['sign']);
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(body)));
  return `sha256=${[...signed].map((one) => one.toString(16).padStart(2, '0')).join('')}`;
}
