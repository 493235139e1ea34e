import { OverFake } from '#test/harness';
import * as client from './client.js';

type Options = ConstructorParameters<typeof OverFake>[2];

/** The document over the vendor's fake, with an access key unless the options have another credential. */
export function connectAws(
  type: 'networksecurity_aws' | 'cloudsecurity_aws',
  { config = {}, ...options }: Partial<Options> = {},
): OverFake {
  const over = new OverFake(new URL('./', import.meta.url), type, {
    config: { region: 'eu-west-1', ...config },
    credential: ({ aws }) => ({
      type: 'aws',
      access_key_id: aws?.accessKeyId,
      secret_access_key: aws?.secretAccessKey,
    }),
    functions: client,
    ...options,
  });
  over.now = Date.now(); // signatures are of the real time
  return over;
}
