// The calls of Google's client of the Directory API, which signs statements for its tokens.
import { admin, auth } from '@googleapis/admin';
import { follow } from './pages.mjs';
import { valuesIn } from './values.mjs';

/** Sends to the fake what the client sends to Google. */
export const fetchFrom = (url) => (address, init) =>
  fetch(String(address).replace(/^https:\/\/[a-z0-9]+\.googleapis\.com/, url), init);

/** Times are numbers here. */
const valuesOfUser = ({ creationTime, lastLoginTime, ...user }) => [
  ...valuesIn(user),
  ...[creationTime, lastLoginTime].map((time) => String(Date.parse(time))),
];

export const googleCalls = {
  async identity_google_mock({ url, credentials: { client } }) {
    const google = new auth.JWT({
      email: client.id,
      key: client.secret,
      subject: 'admin@alderpoint.example',
      scopes: ['user', 'group'].map(
        (kind) => `https://www.googleapis.com/auth/admin.directory.${kind}.readonly`,
      ),
      transporterOptions: { fetchImplementation: fetchFrom(url) },
    });
    const directory = admin({ version: 'directory_v1', auth: google });
    const list = (read, key, wanted = { customer: 'my_customer' }) =>
      follow(async (pageToken) => {
        const { data } = await read({ ...wanted, maxResults: 15, pageToken });
        return { items: data[key] ?? [], next: data.nextPageToken };
      });
    const users = await list(
      (page) => directory.users.list({ ...page, projection: 'full' }),
      'users',
    );
    const groups = await list((page) => directory.groups.list(page), 'groups');
    const [group] = groups;
    const members = await list((page) => directory.members.list(page), 'members', {
      groupKey: group.id,
    });
    return [
      { operation: 'identity_query_users', read: users.map(valuesOfUser) },
      { operation: 'identity_query_groups', read: groups.map((one) => valuesIn(one)) },
      {
        operation: 'identity_get_group_members',
        path: { groupId: group.id },
        read: members.map((one) => [one.id, one.email]),
      },
    ];
  },
};
