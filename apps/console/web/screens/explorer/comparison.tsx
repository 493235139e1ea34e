import { useMemo } from 'preact/hooks';
import type { ApiDocument, Declared } from '../../api/api-documents.js';
import { plain } from '../../forms/schema.js';
import { recordOf } from '../../parts/mappings/record-fields.js';
import { ProblemBox } from '../../parts/problem.js';
import { Waiting } from '../../parts/waiting.js';
import { Outcome, Text } from './answer.js';
import { Difference } from './difference.js';
import type { Sending } from './use-sending.js';

interface Side {
  /** Name of the integration. */
  name: string;
  sending: Sending;
}

interface Props {
  sides: readonly [first: Side, second: Side];
  operation: Declared;
  api: ApiDocument;
}

/** The answers of two systems to the same request: how each call ended, and both field by field. */
export function Comparison({ sides, operation, api }: Props) {
  const order = useMemo(() => fieldsOf(operation, api), [operation, api]);
  const texts = sides.flatMap(({ name, sending: { response } }) =>
    response === undefined ? [] : { name, text: response.text },
  );
  const [first, second] = texts;
  return (
    <div class="second">
      {sides.map((one, index) => (
        <Ending key={index} {...one} />
      ))}
      {first && second && (
        <>
          <Difference
            key={sides.map(({ sending }) => sending.response?.requestId).join()}
            sides={[first, second]}
            order={order}
          />
          {texts.map(({ name, text }, index) => (
            <details key={index}>
              <summary>The whole answer of {name}</summary>
              <Text text={text} name={`Answer of ${name}`} />
            </details>
          ))}
        </>
      )}
    </div>
  );
}

/** How the call of one system ended, or that it still runs. */
function Ending({ name, sending }: Side) {
  const { since, cancel, error, isCancelled, response } = sending;
  return (
    <>
      {since !== undefined && (
        <Waiting since={since} onCancel={cancel} cancel={`Cancel ${name}`}>
          {`Waiting for ${name} …`}
        </Waiting>
      )}
      {isCancelled && <p class="note">Cancelled before {name} had answered.</p>}
      {error && (
        <>
          <p>{name} has no answer to compare with:</p>
          <ProblemBox error={error} />
        </>
      )}
      {response && <Outcome answer={response} of={name} />}
    </>
  );
}

/** Names of the fields of a record, in the order of the contract. */
function fieldsOf({ response }: Declared, { resolve }: ApiDocument): readonly string[] {
  const record = response && recordOf(response, resolve);
  return record === undefined ? [] : Object.keys(plain(record, resolve).properties ?? {});
}
