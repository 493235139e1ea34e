import { OverFake } from '#test/harness';

type Options = ConstructorParameters<typeof OverFake>[2];

const configs = {
  siem_elasticsearch: { url: 'https://es.example', kibana_url: 'https://kibana.example' },
  sink_elasticsearch: { url: 'https://es.example', create_index: 'logs-archive-default' },
};

/** The document over the vendor's fake, with name and password unless the options have another credential. */
export function connectElasticsearch(
  type: keyof typeof configs,
  { config = {}, ...options }: Partial<Options> = {},
): OverFake {
  return new OverFake(new URL('./', import.meta.url), type, {
    config: { ...configs[type], ...config },
    credential: ({ basic }) => ({
      type: 'basic',
      username: basic?.username,
      secret: basic?.password,
    }),
    ...options,
  });
}

/** An event that the company of the fake does not have. */
export const event = (uid: string, more: object = {}) => ({
  class_name: 'Base Event',
  class_uid: 0,
  category_uid: 0,
  activity_id: 99,
  activity_name: 'test',
  type_uid: 99,
  severity_id: 1,
  time: 1795305600000,
  message: `event ${uid}`,
  metadata: { version: '1.3.0', uid, product: { name: 'Test', vendor_name: 'Acme' } },
  ...more,
});

/** An event that is refused: Elasticsearch maps `ip` fields of data streams as addresses. */
export const wrong = (uid: string) => event(uid, { device: { type_id: 0, ip: 'no address' } });

/** The bodies of the requests to a path. */
export const bodiesOf = ({ fake }: OverFake, path: string) =>
  fake.log.requests
    .filter((one) => one.path === path)
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
