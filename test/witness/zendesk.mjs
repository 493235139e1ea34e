// The calls of the client of Zendesk that its users keep: Zendesk has none of its own for Node.
import zendesk from 'node-zendesk';
import { valuesIn } from './values.mjs';

export const zendeskCalls = {
  async ticketing_zendesk_mock({ url, credentials: { basic } }) {
    const client = zendesk.createClient({
      endpointUri: `${url}/api/v2`,
      username: basic.username.replace('/token', ''),
      token: basic.password,
    });
    const tickets = await client.search.queryAll('type:ticket');
    const groups = await client.groups.list();
    const fields = await client.ticketfields.list();
    const { id } = tickets[0];
    const { result: ticket } = await client.tickets.show(id);
    const comments = await client.tickets.getComments(id);
    const path = { ticketId: String(id) };
    return [
      { operation: 'ticketing_query_tickets', read: tickets.map(valuesOfTicket) },
      { operation: 'ticketing_get_ticket', path, read: [valuesOfTicket(ticket)] },
      { operation: 'ticketing_list_projects', read: groups.map((group) => valuesIn(group)) },
      {
        operation: 'ticketing_list_remote_fields',
        read: fields.map(({ id, title, type, system_field_options, custom_field_options }) => [
          ...valuesIn([id, title, type, system_field_options]),
          ...(custom_field_options ?? []).flatMap(({ name, value }) => [name, value]),
        ]),
      },
      {
        operation: 'ticketing_list_comments',
        path,
        read: comments.filter((one) => one.public).map((one) => valuesIn(one)),
      },
    ];
  },
};

/** The custom fields of a ticket that have a value are keys of a record of ours. */
function valuesOfTicket({ fields, custom_fields, ...ticket }) {
  const custom = [...fields, ...custom_fields].map(({ value }) => value);
  return [...valuesIn(ticket, ['result_type']), ...valuesIn(custom)];
}
