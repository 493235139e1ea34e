import type { FirstTokens } from './first-start.js';

export interface BannerFacts {
  url: string;
  data: string;
  observe: string;
  isConsoleServed: boolean;
  tokens: FirstTokens | undefined;
}

/** Text for the terminal once everything runs; each label is on one line with its value. */
export function banner({ url, data, observe, tokens, isConsoleServed }: BannerFacts): string {
  const lines = ['Onefold runs.', '', `Address: ${url}`];
  if (isConsoleServed) lines.push(`Console: ${url}/console/`);
  if (tokens !== undefined) lines.push(`Organization token: ${tokens.organizationToken}`);
  if (tokens?.integrationToken !== undefined)
    lines.push(
      `Integration token: ${tokens.integrationToken}`,
      '',
      'The first request:',
      `  curl -s -H 'Authorization: Bearer ${tokens.integrationToken}' '${url}/v1/ticketing/tickets?limit=2'`,
      '',
      'The same in a browser, with the Integration token in the field of the page:',
      `  ${url}/reference/?api=connector#/ticketing/ticketing_query_tickets`,
      '',
      `A request for every domain: npm run -s admin -- demo --url ${url}`,
      '',
      'The tokens are shown only now and are valid for 30 days; npm run -s admin -- token makes a new Organization token.',
    );
  else if (tokens === undefined)
    lines.push(
      '',
      'It uses the existing data. A new Organization token: npm run -s admin -- token',
    );
  lines.push(
    '',
    `API reference: ${url}/reference`,
    `Data: ${data}`,
    `Health and metrics: ${observe}`,
    'Ctrl-C stops it.',
    '',
  );
  return lines.join('\n');
}
