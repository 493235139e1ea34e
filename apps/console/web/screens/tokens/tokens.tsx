import { useState } from 'preact/hooks';
import { ownToken } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import { Action } from '../../parts/action.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Select } from '../../parts/select.js';
import { type Open, TokenList } from '../../parts/tokens/token-list.js';
import { useAsked } from '../../parts/use-asked.js';

const kinds: Record<string, { label: string; filters: readonly string[] }> = {
  '': { label: 'All', filters: [] },
  organization: {
    label: 'Of programs, for the organization',
    filters: ['owner_type[eq]organization', 'token_type[neq]logon'],
  },
  integration: { label: 'Of integrations', filters: ['owner_type[eq]integration'] },
  logon: { label: 'Sessions of members', filters: ['token_type[eq]logon'] },
};

/** Tokens of the organization, as far as the session may see them. */
export function TokensScreen() {
  const { search } = place.value;
  const kind = search.get('kind') ?? '';
  const whose = search.get('whose') ?? '';
  const memberId = ownToken.value?.token.member_id ?? '';
  const pages = usePages();
  const filter = [
    ...(kinds[kind]?.filters ?? []),
    ...(whose === '' ? [] : [`member_id[eq]${whose}`]),
  ];
  const query = { limit: pageSize, start_after: pages.startAfter, filter };
  const tokens = useRead('tokens_list', { query });
  const [open, setOpen] = useState<Open>();
  useAsked(() => setOpen({ kind: 'create' }));
  return (
    <>
      <h1 tabIndex={-1}>Tokens</h1>
      <p class="lead">
        Those that you may see. Their secrets were shown once, when they were created.
      </p>
      <div class="toolbar">
        <Select
          label="Kind"
          value={kind}
          onChange={(value) => setSearch({ kind: value, after: '' })}
        >
          {Object.fromEntries(Object.entries(kinds).map(([id, { label }]) => [id, label]))}
        </Select>
        {(memberId !== '' || whose !== '') && (
          <Select
            label="Whose"
            value={whose}
            onChange={(value) => setSearch({ whose: value, after: '' })}
          >
            {{
              '': 'All that you may see',
              ...(memberId === '' ? {} : { [memberId]: 'Your own' }),
              ...(whose === '' || whose === memberId ? {} : { [whose]: 'One member’s' }),
            }}
          </Select>
        )}
        <Action
          operation="tokens_create_token"
          kind="primary"
          onClick={() => setOpen({ kind: 'create' })}
        >
          New token
        </Action>
      </div>
      <TokenList
        of={tokens}
        lines={8}
        pages={pages}
        open={open}
        onOpen={setOpen}
        empty={
          filter.length > 0
            ? 'No token is like this.'
            : 'You have no tokens. A program needs one to call the API: create one for each, so that you can take it away alone.'
        }
      />
    </>
  );
}
