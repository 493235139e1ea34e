/** A request as the drawer shows it. */
export interface SentRequest {
  method: string;
  url: string;
  body?: string;
  isAuthorized: boolean;
  /** By a token of an integration, not by that of the session. */
  isOfIntegration: boolean;
}

/** Writes a request as a command for a POSIX shell; the token stays in the variable TOKEN, so that it is not pasted into a ticket. */
export function curlOf({
  method,
  url,
  body,
  isAuthorized,
}: Omit<SentRequest, 'isOfIntegration'>): string {
  return [
    method === 'GET' ? 'curl -s' : `curl -s -X ${method}`,
    ...(isAuthorized ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(body)}`]),
    quoted(url),
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
