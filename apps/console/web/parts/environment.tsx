import { environment, setSearch } from '../location.js';

/** The environments of accounts in words. */
export const environments: Readonly<Record<string, string>> = { test: 'test', prod: 'production' };

export function environmentName(environment: string): string {
  return environments[environment] ?? environment;
}

/** Environments are told apart in words, not by colour alone. */
export function Environment({ name }: { name: string }) {
  return <span class={name === 'prod' ? 'badge strong' : 'badge'}>{environmentName(name)}</span>;
}

/** Limits all screens to the accounts of an environment; the address keeps it. */
export function EnvironmentChoice() {
  return (
    <select
      class={environment.value === '' ? 'environment' : 'environment limited'}
      aria-label="Test or production"
      value={environment.value}
      onChange={(event) => setSearch({ environment: event.currentTarget.value, after: '' })}
    >
      <option value="">All environments</option>
      <option value="test">Only test</option>
      <option value="prod">Only production</option>
    </select>
  );
}

/** Filters of lists of accounts. */
export function accountsOfEnvironment(): string[] {
  return environment.value === '' ? [] : [`environment[eq]${environment.value}`];
}

/** Filters of lists of what belongs to accounts. */
export function ofEnvironment(): string[] {
  return environment.value === '' ? [] : [`account.environment[eq]${environment.value}`];
}
