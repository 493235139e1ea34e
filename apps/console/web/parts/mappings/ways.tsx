import type { ConnectorSchemas } from '#contract';
import { parseExact } from './exact-json.js';
import { Steps } from './steps.js';

export type Way = ConnectorSchemas['TracedRecord'];

/** Reads the trace of an answer, with all digits of its numbers. */
export function waysOf(text: string): readonly Way[] {
  const { meta } = parseExact(text) as {
    meta?: { mapping?: { trace?: Record<string, readonly Way[]> } };
  };
  return Object.values(meta?.mapping?.trace ?? {}).flat();
}

/** Records on their way through the mappings, as `mapping/trace` tells it. */
export function Ways({ ways }: { ways: readonly Way[] }) {
  return (
    <ol class="ways">
      {ways.map((way, index) => (
        <li key={index}>
          <h3>
            {way.direction === 'request' ? 'To the provider' : 'From the provider'}
            <small> {countOf(way.steps.length)}</small>
          </h3>
          <Steps steps={way.steps} input={way.input} isOld={false} />
        </li>
      ))}
    </ol>
  );
}

function countOf(mappings: number): string {
  return mappings === 1 ? 'one mapping' : `${mappings} mappings`;
}
