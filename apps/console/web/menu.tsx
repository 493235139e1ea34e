import { BookOpen, Braces } from 'lucide';
import { useContext, useEffect, useId, useState } from 'preact/hooks';
import { serviceOrigin } from './api/service.js';
import { mayCall } from './api/permissions.js';
import { base, path } from './location.js';
import { menuFor, type MenuSection, RoutesContext } from './menu-entries.js';
import { Icon } from './parts/icon.js';
import { Permission } from './parts/in-words.js';
import { Link } from './parts/link.js';
import { version } from './version.js';
import type { Route } from './route.js';

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
        {menuFor(useContext(RoutesContext), mayCall).map((section) => (
          <Section key={section.group} section={section} current={current} />
        ))}
        <ul class="apart">
          <li>
            <a href={`${serviceOrigin()}/reference/`}>
              <Icon of={Braces} />
              API reference
            </a>
          </li>
          <li>
            <a href={`${base}/docs/index.html`}>
              <Icon of={BookOpen} />
              Documentation
            </a>
          </li>
        </ul>
        <p class="version">Onefold {version}</p>
      </div>
    </nav>
  );
}

/** An entry that the token may not use: people ask an administrator for the permission by its name. */
function Disabled({ route: { icon, title }, permission }: { route: Route; permission: string }) {
  return (
    <a role="link" aria-disabled="true" class="disabled">
      {icon && <Icon of={icon} />}
      {title}
      <small>
        needs <Permission id={permission} />
      </small>
    </a>
  );
}

interface SectionProps {
  section: MenuSection;
  current: Route | undefined;
}

function Section({ section: { group, entries }, current }: SectionProps) {
  const id = useId();
  const isOpen = (one: Route) =>
    one === current || (one.path !== '/' && current?.path.startsWith(`${one.path}/`) === true);
  return (
    <>
      {group !== '' && (
        <p class="group" id={id}>
          {group}
        </p>
      )}
      <ul aria-labelledby={group === '' ? undefined : id}>
        {entries.map(({ route, missing }) => (
          <li key={route.path}>
            {missing === undefined ? (
              <Link to={route.path} aria-current={isOpen(route) ? 'page' : undefined}>
                {route.icon && <Icon of={route.icon} />}
                {route.title}
              </Link>
            ) : (
              <Disabled route={route} permission={missing} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
