import { notFound } from '#contract';
import type { ProviderRecord } from '#connect';
import { recordResponse, collection } from './desk.js';
import { agent, project, remoteField } from './mappings.js';
import type { MockOperations } from './mock-operation.js';

const text = { type: 'string' } as const;

/** Projects, custom fields and escalation policies. */
export const directoryOperations: MockOperations = {
  ticketing_list_projects: {
    resource: 'projects',
    action: 'query',
    fields: { id: text, name: text },
    ...project,
    run: async (mock) => ({
      all: recordResponse(mock, '/projects', await collection(mock, 'projects')),
    }),
  },
  ticketing_list_remote_fields: {
    resource: 'remote_fields',
    action: 'query',
    ...remoteField,
    run: async (mock) => ({
      records: recordResponse(mock, '/fields', await collection(mock, 'fields')),
    }),
  },
  ticketing_query_escalation_policies: {
    resource: 'escalation_policies',
    action: 'query',
    fields: { id: text, name: text },
    response: (native) => native,
    responseFields: ['description', 'id', 'name', 'rules'],
    run: async (mock) => {
      const policies = recordResponse(mock, '/policies', await collection(mock, 'policies'));
      const users = await collection(mock, 'users');
      return { all: policies.map((native) => policy(native, users)) };
    },
  },
  ticketing_list_on_call: {
    resource: 'users',
    action: 'query',
    ...agent,
    run: async (mock) => {
      const id = mock.call.path['escalationPolicyId'] ?? '';
      const found = (await collection(mock, 'policies')).find((one) => one.id === id);
      if (found === undefined) throw notFound('record', id);
      const ids = steps(found).map(({ user }) => user);
      const users = (await collection(mock, 'users')).filter((user) => ids.includes(user.id));
      return { records: recordResponse(mock, `/policies/${id}/on-call`, users) };
    },
  },
};

interface Step {
  id: string;
  after: number;
  user: string;
}

function steps(policy: ProviderRecord): Step[] {
  return (policy['steps'] ?? []) as Step[];
}

/** Returns a policy with its people joined in, in our shape. */
function policy(native: ProviderRecord, users: readonly ProviderRecord[]): ProviderRecord {
  return {
    id: native['id'],
    name: native['name'],
    description: native['about'],
    rules: steps(native).map(({ id, after, user }) => {
      const found = users.find((one) => one['id'] === user) ?? { id: user, name: user };
      return {
        id,
        delay_seconds: after,
        actors: [{ type: 'agent', ...(agent.response(found) as ProviderRecord) }],
      };
    }),
  };
}
