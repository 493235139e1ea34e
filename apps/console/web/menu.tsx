import { useEffect, useId, useState } from 'preact/hooks';
import { serviceOrigin } from './api/service.js';
import type { OperationId } from '#contract';
import { operationOf } from './api/operations.js';
import { mayCall } from './api/permissions.js';
import { path } from './location.js';
import { Link } from './parts/link.js';
import { version } from './version.js';
import { menuGroups, type Route, routes } from './routes.js';

/** Entries for the screens, in groups. On narrow screens they are folded, and fold again when one was chosen. */
export function Menu({ current }: { current: Route | undefined }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const entries = useId();
  useEffect(() => setUnfolded(false), [path.value]);
  return (
    <nav class={isUnfolded ? 'menu unfolded' : 'menu'} aria-label="Screens">
      <Link to="/" class="mark" aria-label="Onefold, to the overview">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <circle cx="16" cy="16" r="7" />
        </svg>
        <span>Onefold</span>
      </Link>
      <button
        type="button"
        class="fold"
        aria-expanded={isUnfolded}
        aria-controls={entries}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        Menu
      </button>
      <div class="entries" id={entries}>
        <ul>
          <Entries group="" current={current} />
        </ul>
        {menuGroups.map((group) => (
          <Group key={group} group={group} current={current} />
        ))}
        <ul class="apart">
          <li>
            <a href={`${serviceOrigin()}/reference/`}>API reference</a>
          </li>
        </ul>
        <p class="version">Onefold {version}</p>
      </div>
    </nav>
  );
}

/** An entry that the token may not use: people ask an administrator for the permission by its name. */
function Disabled({ title, operation }: { title: string; operation: OperationId }) {
  return (
    <a role="link" aria-disabled="true" class="disabled">
      {title}
      <small>
        needs <code>{operationOf(operation).permission}</code>
      </small>
    </a>
  );
}

interface GroupProps {
  group: NonNullable<Route['menu']>;
  current: Route | undefined;
}

function Group({ group, current }: GroupProps) {
  const id = useId();
  return (
    <>
      <p class="group" id={id}>
        {group}
      </p>
      <ul aria-labelledby={id}>
        <Entries group={group} current={current} />
      </ul>
    </>
  );
}

function Entries({ group, current }: GroupProps) {
  const isOpen = (one: Route) =>
    one === current || (one.path !== '/' && current?.path.startsWith(`${one.path}/`) === true);
  return (
    <>
      {routes
        .filter(({ menu }) => menu === group)
        .map((one) => (
          <li key={one.path}>
            {one.needs === undefined || mayCall(one.needs) ? (
              <Link to={one.path} aria-current={isOpen(one) ? 'page' : undefined}>
                {one.title}
              </Link>
            ) : (
              <Disabled title={one.title} operation={one.needs} />
            )}
          </li>
        ))}
    </>
  );
}
