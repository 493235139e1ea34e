import { matchRoute } from '#contract';
import { faultsOfResponse } from '#apps/provider-kit';

/**
 * Checks a response, good or bad, against the contract of the operation of the path.
 * @throws Error if it does not match
 */
export function holdAgainstContract(
  method: string,
  path: string,
  response: Response,
  text: string,
): void {
  const [pathname = ''] = path.split('?');
  const match = matchRoute(method, pathname);
  if (!match || !('operation' in match)) return;
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const faults = faultsOfResponse(
    match.operation,
    response.status,
    body,
    response.headers.get('content-type'),
  );
  if (faults.length > 0)
    throw new Error(
      `${match.operation.id} answered ${response.status} against the contract:\n${faults.slice(0, 20).join('\n')}\n${text.slice(0, 1000)}`,
    );
}
