import type { Fault } from '#contract';

const maxUrlLength = 2_048;

/**
 * Finds the fault of an address that Onefold is to call. Whether its host may be called is decided when it is called.
 * @param pointer place of the address in the body
 * @returns undefined for a valid address
 */
export function addressFault(text: string, pointer: string): Fault | undefined {
  const fault = (message: string, value: { value?: string } = { value: text }): Fault => ({
    location: 'body',
    pointer,
    message,
    remediation: 'Write it as https://host/path.',
    ...value,
  });
  if (text.length > maxUrlLength)
    return fault(`has ${text.length} characters, at most ${maxUrlLength} are allowed`, {});
  if (!URL.canParse(text)) return fault('is not a valid URL');
  const { protocol, username, password } = new URL(text);
  if (username !== '' || password !== '')
    return fault('contains a user or password, which responses would show', {});
  if (protocol !== 'https:' && protocol !== 'http:')
    return fault('must be an https or http address');
  return undefined;
}
