import { isDeepStrictEqual } from 'node:util';
import type { Ran } from './engine.js';
import type { KeptAnswer } from './fixture.js';

/**
 * Returns our response as a fixture stores it: without cursors, which differ each time, and with code and place of an
 * error.
 */
export function keptAnswer({ answer, met }: Ran): KeptAnswer {
  const { status, headers, body } = answer;
  if (status >= 400) {
    const { type = '', context = {} } = (body ?? {}) as {
      type?: string;
      context?: { parameter?: { id?: string } };
    };
    const place = met.at(-1);
    const pointer = context.parameter?.id;
    return {
      status,
      ...(headers === undefined ? {} : { headers }),
      error: type.split(':').at(-1) ?? '',
      ...(place === undefined ? {} : { place }),
      ...(pointer === undefined ? {} : { pointer }),
    };
  }
  const { cursor } = (body ?? {}) as { cursor?: string };
  if (cursor === undefined || cursor === '') return answer;
  return { ...answer, body: { ...(body as object), cursor: '[cursor]' } };
}

/** Compares two responses. @returns the differences between the response and the recorded one */
export function differences(expected: unknown, found: unknown): string[] {
  const [one, other] = [expected, found].map(
    (value) => JSON.parse(JSON.stringify(value)) as unknown,
  );
  if (isDeepStrictEqual(one, other)) return [];
  return [`the response is ${JSON.stringify(other)}, recorded is ${JSON.stringify(one)}`];
}
