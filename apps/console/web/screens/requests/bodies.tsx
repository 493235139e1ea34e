import type { ManagementSchemas } from '#contract';
import { Permitted } from '../../parts/permitted.js';
import { Exact } from '../../parts/time.js';
import { Recording } from './recording.js';
import { Replay } from './replay.js';
import type { RequestRecord } from './request-record.js';

type Body = ManagementSchemas['RecordedBody'];

/** The bodies of a call and of its requests to the provider, where they are recorded, and the call once more through other mappings. */
export function Bodies({ request }: { request: RequestRecord }) {
  const { bodies } = request;
  return (
    <>
      <section class="card stack" aria-labelledby="bodies">
        <h2 id="bodies">Bodies</h2>
        {bodies && (
          <>
            <p>
              As they were recorded, without secrets. They are kept until{' '}
              <Exact time={bodies.expires_at} />.
            </p>
            <Text title="What was asked" body={bodies.request} />
            <Text title="What was answered" body={bodies.response} />
            {bodies.exchanges.map((one, index) => (
              <details key={index}>
                <summary>
                  <code>
                    {one.method} {one.url}
                  </code>{' '}
                  {one.status ?? 'no answer'}
                </summary>
                <Text title={`Request ${index + 1} to the provider`} body={one.request} />
                <Text title={`Answer ${index + 1} of the provider`} body={one.response} />
              </details>
            ))}
          </>
        )}
        <Permitted operation="requests_get_recording" what="whether bodies are recorded">
          <Recording request={request} />
        </Permitted>
      </section>
      {bodies && <Replay request={request} />}
    </>
  );
}

function Text({ title, body }: { title: string; body: Body | null | undefined }) {
  if (body === null || body === undefined) return null;
  return (
    <>
      <h3>{title}</h3>
      <pre class="answer" role="group" tabIndex={0} aria-label={title}>
        {body.omitted === 0 ? laidOut(body.text) : body.text}
      </pre>
      {body.omitted > 0 && <p class="hint">{body.omitted} characters more were not kept.</p>}
    </>
  );
}

/** Lays out JSON; other texts stay as they are, and so do numbers that JavaScript cannot hold. */
function laidOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const compact = JSON.stringify(value);
    return compact.length === text.trim().length ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
