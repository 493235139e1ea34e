import { sharedDescription } from '#test/harness';

export const description = sharedDescription('okta.json');
export const undescribed = /\/risk is not in|\/oauth2\/v1\/token/;
