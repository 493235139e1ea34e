// The calls of the client of Microsoft Graph.
import { Client as Graph } from '@microsoft/microsoft-graph-client';

/** Returns a function that reads a list of the fake to its end. */
async function readerOf({ url, credentials: { client } }) {
  const token = await fetch(`${url}${client.tokenPath}`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
      scope: 'https://graph.microsoft.com/.default',
    }),
  }).then((response) => response.json());
  // The client calls https alone; its last step is the sending.
  const graph = Graph.initWithMiddleware({
    middleware: {
      async execute(context) {
        const address = context.request.replace('https://graph.microsoft.com', url);
        const headers = {
          ...context.options.headers,
          authorization: `Bearer ${token.access_token}`,
        };
        context.response = await fetch(address, { ...context.options, headers });
      },
    },
  });
  return async (path) => {
    const items = [];
    let page = await graph.api(path).get();
    for (;;) {
      items.push(...page.value);
      if (page['@odata.nextLink'] === undefined) return items;
      // The fake's links have its own address.
      const next = page['@odata.nextLink'].replace(url, 'https://graph.microsoft.com');
      page = await graph.api(next).get();
    }
  };
}

export const graphCalls = {
  async identity_entra_id_mock(fake) {
    const list = await readerOf(fake);
    const users = await list('/users?$top=15');
    const groups = await list('/groups?$top=3');
    const [group] = groups;
    const members = await list(`/groups/${group.id}/members/microsoft.graph.user`);
    return [
      { operation: 'identity_query_users', read: users.map(({ id }) => [id]) },
      {
        operation: 'identity_query_groups',
        read: groups.map(({ id, displayName }) => [id, displayName]),
      },
      {
        operation: 'identity_get_group_members',
        path: { groupId: group.id },
        read: members.map(({ id }) => [id]),
      },
    ];
  },

  async endpointmanagement_intune_mock(fake) {
    const list = await readerOf(fake);
    const devices = await list('/deviceManagement/managedDevices?$top=15');
    return [
      {
        operation: 'endpointmanagement_query_devices',
        read: devices.map(({ id, deviceName }) => [id, deviceName]),
      },
    ];
  },

  async emailsecurity_defender_for_office_mock(fake) {
    const list = await readerOf(fake);
    const wanted = "serviceSource eq 'microsoftDefenderForOffice365'";
    const alerts = await list(`/security/alerts_v2?$top=1&$filter=${encodeURIComponent(wanted)}`);
    return [
      {
        operation: 'emailsecurity_query_threats',
        read: alerts.map(({ id, title }) => [id, title]),
      },
    ];
  },

  async chat_microsoft_teams_mock(fake) {
    const list = await readerOf(fake);
    const users = await list('/users?$top=15');
    return [{ operation: 'chat_query_users', read: users.map((one) => [one.id]) }];
  },
};
