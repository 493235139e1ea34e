import { baseEvent, OverFake } from '#test/harness';

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

/** An event that is refused: Elasticsearch maps `ip` fields of data streams as addresses. */
export const wrong = (uid: string) => baseEvent(uid, { device: { type_id: 0, ip: 'no address' } });

/** The bodies of the requests to a path. */
export const bodiesOf = ({ fake }: OverFake, path: string) =>
  fake.log.requests
    .filter((one) => one.path === path)
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
