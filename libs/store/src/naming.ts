import { DefaultNamingStrategy } from 'typeorm';

/** Names columns in snake case, as the wire does. */
export class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string, given: string): string {
    return given || snakeCase(property);
  }
}

/** `organizationId` is `organization_id`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `organization_id` is `organizationId`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
