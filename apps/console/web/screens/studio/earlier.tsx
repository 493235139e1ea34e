import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Loaded } from '../../parts/loaded.js';
import { actorOf, type NameOf, useMemberNames } from '../../parts/record-names.js';
import { Ago, Exact } from '../../parts/time.js';
import type { Mapping } from './subject.js';

const maxListed = 50;

type AuditRecord = Result<'audit_list'>['result'][number];

interface Props {
  mapping: Mapping;
  /** Puts a document into the editor, where it can be tried before it is saved. */
  onTake: (document: string) => void;
  /** Shows in the editor what differs from a document. */
  onCompare: (version: Version) => void;
}

/** A document that a mapping had. */
export interface Version {
  at: string;
  document: string;
}

/** The documents that a mapping had before, as far as the audit trail has them; the service keeps only the last one. */
export function Earlier(props: Props) {
  const [isOpen, setOpen] = useState(false);
  if (!mayCall('audit_list')) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Earlier versions</summary>
      {isOpen && <List {...props} />}
    </details>
  );
}

function List({ mapping, onTake, onCompare }: Props) {
  const { id, name, created_at: since } = mapping;
  const saved = ['status[eq]succeeded', `created_at[gte]${since}`];
  const changes = useRead('audit_list', {
    query: {
      order: 'created_at[desc]',
      limit: maxListed,
      filter: [...saved, 'method[in]PUT,PATCH', `path[in]/v1/mappings/${id},/v1/mappings/${name}`],
    },
  });
  const creations = useRead('audit_list', {
    query: {
      order: 'created_at[asc]',
      limit: maxListed,
      filter: [...saved, 'method[eq]POST', 'path[eq]/v1/mappings'],
    },
  });
  const members = useMemberNames([
    ...(changes.data?.result ?? []),
    ...(creations.data?.result ?? []),
  ]);
  return (
    <Loaded of={changes} lines={2}>
      {({ result }) => {
        const made = creations.data?.result.find(({ body }) => nameIn(body) === name);
        const earlier = [...result, ...(made ? [made] : [])]
          .flatMap((one) => versionOf(one, members) ?? [])
          .filter(({ document }) => document !== mapping.data);
        return earlier.length === 0 ? (
          <p class="hint">The audit trail has no other document of this mapping.</p>
        ) : (
          <>
            <p class="hint">
              As they were sent; one that was only checked, by a dry run, is among them. Nothing is
              stored until you save it.
            </p>
            <ol class="lines">
              {earlier.map(({ at, document, actor }) => (
                <li key={at}>
                  <span class="grow">
                    <Exact time={at} />{' '}
                    <small>
                      <Ago time={at} />, by <bdi>{actor}</bdi>
                    </small>
                  </span>
                  <button
                    type="button"
                    class="small"
                    aria-label={`Compare with the version of ${at}`}
                    onClick={() => onCompare({ at, document })}
                  >
                    Compare
                  </button>
                  <button
                    type="button"
                    class="small"
                    aria-label={`Put it into the editor: the version of ${at}`}
                    onClick={() => onTake(document)}
                  >
                    Put it into the editor
                  </button>
                </li>
              ))}
            </ol>
          </>
        );
      }}
    </Loaded>
  );
}

function nameIn(body: unknown): unknown {
  return (body as { name?: unknown } | null | undefined)?.name;
}

/** The document that a call stored; undefined for one that changed something else. */
function versionOf(record: AuditRecord, members: NameOf) {
  const { created_at: at, body } = record;
  const steps = Array.isArray(body) ? (body as { path?: unknown; value?: unknown }[]) : undefined;
  const document = steps
    ? steps.findLast(({ path }) => path === '/data')?.value
    : (body as { data?: unknown } | null | undefined)?.data;
  return typeof document === 'string'
    ? { at, document, actor: actorOf(record, members) }
    : undefined;
}
