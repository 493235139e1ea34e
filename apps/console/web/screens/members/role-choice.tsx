import type { NamedRole } from './member.js';

interface Props {
  roles: readonly NamedRole[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  fault?: string | undefined;
}

/** Chooses the roles of a member; together they permit what each of them does. */
export function RoleChoice({ roles, chosen, onChange, fault }: Props) {
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  // A role that this token cannot list must not be lost by a change of others.
  const unknown = [...chosen].filter((name) => !roles.some((one) => one.name === name));
  return (
    <fieldset>
      <legend>Roles</legend>
      {[...roles, ...unknown.map((name) => ({ name, fullname: name }))].map((one) => (
        <label key={one.name} class="check">
          <input type="checkbox" checked={chosen.has(one.name)} onChange={() => toggle(one.name)} />
          <span>
            <bdi>{one.fullname}</bdi>{' '}
            {one.fullname !== one.name && (
              <small>
                <code>{one.name}</code>
              </small>
            )}
          </span>
        </label>
      ))}
      {fault !== undefined && <p class="wrong">{fault}</p>}
    </fieldset>
  );
}
