// Fills a service that has just started for the first time: more customers, systems that do not work, requests, and a mapping.

const mapping = `engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root = this
    root.name = "[%s] %s".format(this.priority | "none", this.name)
    root.custom_fields.site = this.custom_fields.site.uppercase()
`;
const customers = [
  ['nordwind', 'Nordwind Logistics', 'prod', ['pilot', 'eu']],
  ['kaito', 'Kaito Robotics', 'prod', ['apac']],
  ['alnakheel', 'مجموعة النخيل', 'test', []],
];
/** Customer, name, and the status that the customer's system answers with. */
const broken = [
  ['nordwind', 'Nordwind issues', 401],
  ['kaito', 'Kaito issues', 403],
  ['alnakheel', 'النخيل issues', 503],
];

/** @returns ids for addresses of screens */
export async function addDemonstration({ url, token, integrationToken, providerUrl }) {
  const call = async (method, path, body, by = token) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { ok: response.ok, status: response.status, ...(text === '' ? {} : JSON.parse(text)) };
  };
  const must = async (...request) => {
    const response = await call(...request);
    if (!response.ok) throw new Error(`${request[0]} ${request[1]}: ${response.message}`);
    return response.result;
  };
  for (const [name, fullname, environment, labels] of customers)
    await must('POST', '/accounts', { name, fullname, environment, labels });
  for (const [account, fullname, status] of broken) {
    const name = `${account}-issues`;
    const provider_config = {
      type: 'ticketing_github',
      url: `${providerUrl}/${status}`,
      repository: 'example/desk',
      credential: { type: 'token', secret: 'example-token' },
    };
    const made = await must('POST', `/integrations/${account}`, {
      name,
      fullname,
      provider_config,
    });
    await call('GET', '/ticketing/tickets?limit=1', undefined, made.token.access.secret);
  }
  const { mapping: stored } = await must('POST', '/mappings', {
    name: 'priority-in-name',
    fullname: 'Priority in the name',
    data: mapping,
  });
  for (let count = 0; count < 24; count += 1)
    await call(
      'GET',
      `/ticketing/tickets?limit=${count % 5 || 500_000}`,
      undefined,
      integrationToken,
    );
  const integrations = await must('GET', '/integrations?limit=200');
  const demonstration = integrations.filter(({ name }) => name.startsWith('demo-')).slice(0, 9);
  for (const { account_id, id, category } of demonstration) {
    const { secret } = await must('POST', `/tokens/${account_id}/${id}`, { token_ttl: '10m' });
    const path = { chat: '/chat/users', identity: '/identity/users', edr: '/edr/endpoints' }[
      category
    ];
    if (path !== undefined) await call('GET', `${path}?limit=1`, undefined, secret);
  }
  const idOf = (wanted) => integrations.find(({ name }) => name === wanted).id;
  const input = { sink_integration_id: idOf('demo-sink') };
  const job = { integration_id: idOf('service-desk'), operation: 'ticketing_query_tickets', input };
  await must('POST', '/jobs', job);
  const frequency = { type: 'periodic', value: '1h' };
  await must('POST', '/jobs', { ...job, schedule: { frequency } });
  const webhook = await must('POST', '/organization/webhooks', {
    name: 'change-feed',
    fullname: 'Change feed',
    environment: 'prod',
    filters: ['all'],
    url: `${providerUrl}/200/hooks`,
    secret: { value: 'an-example-of-32-characters-long' },
  });
  await must('POST', `/organization/webhooks/${webhook.id}/deliveries/test`);
  await must('POST', '/accounts', { name: 'alderpoint', fullname: 'Alderpoint Instruments' });
  const find = (wanted) => {
    const { account_id, id } = integrations.find(({ name }) => name === wanted);
    return `${account_id}/${id}`;
  };
  await new Promise((settle) => setTimeout(settle, 6_000)); // states and counters are written within seconds
  return {
    desk: find('service-desk'),
    refused: find('nordwind-issues'),
    nordwind: find('nordwind-issues').split('/')[0],
    mappingId: stored.id,
    webhookId: webhook.id,
  };
}
