import { GraphQLError } from 'graphql';

const kinds = {
  INPUT_ERROR: { type: 'invalid input', statusCode: 400 },
  FORBIDDEN: { type: 'forbidden', statusCode: 403 },
  AUTHENTICATION_ERROR: { type: 'authentication error', statusCode: 401 },
  RATELIMITED: { type: 'ratelimited', statusCode: 429 },
  INTERNAL_SERVER_ERROR: { type: 'internal error', statusCode: 500 },
} as const;

export type Code = keyof typeof kinds;

/** Extensions of an error message of Linear. */
export function extensions(code: Code, presentable: string) {
  const userError = code !== 'INTERNAL_SERVER_ERROR';
  return { code, ...kinds[code], userError, userPresentableMessage: presentable };
}

export function failure(code: Code, message: string, presentable = message): GraphQLError {
  return new GraphQLError(message, { extensions: extensions(code, presentable) });
}

export function notFound(entity: string): GraphQLError {
  return failure(
    'INPUT_ERROR',
    `Entity not found: ${entity}`,
    `Could not find referenced ${entity}.`,
  );
}

/** Creates a response with one error. */
export function errorBody(code: Code, message: string): unknown {
  return { errors: [{ message, extensions: extensions(code, message) }] };
}
