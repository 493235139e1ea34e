/** Returns the environment of this process. No other code reads it. */
export function environment(): Readonly<Record<string, string | undefined>> {
  // eslint-disable-next-line no-restricted-syntax -- all other code uses a configuration class
  return process.env;
}
