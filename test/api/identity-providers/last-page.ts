import { expect } from '@jest/globals';
import type { Page } from './browser.js';

/** What the last page of a sign-on says. */
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

/** What the last page says when the provider's answer is not to be trusted. */
export const refusedAnswer = {
  status: 403,
  result: undefined,
  message: expect.stringContaining('the response of the identity provider is not valid'),
};
