import { expect } from '@jest/globals';
import type { Page } from './browser.js';

/** Returns the data of the last page of a sign-on. */
export interface Said {
  status: number;
  message: string;
  result: {
    refresh_token_id: string;
    token: { access: { secret: string } };
    member: { id: string; name: string };
  };
}

export function said({ status, text }: Page): Said {
  const { message, result } = JSON.parse(text) as Omit<Said, 'status'>;
  return { status, message, result };
}

/** Data of the last page if the response of the provider is not valid. */
export const refusedAnswer = {
  status: 403,
  result: undefined,
  message: expect.stringContaining('the response of the identity provider is not valid'),
};
