import type { ManagementSchemas } from '#contract';
import { fault } from '#management/core';
import type { IntegrationPoint } from '#store';

export type AdditionalMapping = ManagementSchemas['AdditionalMapping'];
type Template = ManagementSchemas['AdditionalMappingTemplate'];

/** True for templates of all providers, or of this one. */
export function isFor({ providers }: { providers?: readonly string[] }, type: string): boolean {
  return !providers || providers.includes('*') || providers.includes(type);
}

/** Additional mappings of a point that always run, whatever its integrations declare. */
export function fixedMappings(
  point: IntegrationPoint | undefined,
  providerType: string,
): AdditionalMapping[] {
  return templatesOf(point, providerType, 'fixed');
}

/**
 * Additional mappings of a new integration that declares none: those that its point recommends. Optional ones are
 * suggestions for the person who sets it up, and fixed ones stay with the point.
 */
export function recommendedMappings(
  point: IntegrationPoint | undefined,
  providerType: string,
): AdditionalMapping[] | null {
  const found = templatesOf(point, providerType, 'recommended');
  return found.length === 0 ? null : found;
}

/** Refuses mappings of an integration to fields that its point fixes. @throws ApiError 400 */
export function checkAgainstFixed(
  point: IntegrationPoint | undefined,
  providerType: string,
  own: readonly AdditionalMapping[] | null | undefined,
): void {
  const fixed = fixedMappings(point, providerType);
  for (const [index, one] of (own ?? []).entries())
    if (fixed.some((other) => overlaps(one, other)))
      throw fault(
        `/additional_mappings/${index}/destination`,
        `is fixed by the integration point "${point?.name}"`,
        { value: one.destination, remediation: 'Choose another destination, or leave it out.' },
      );
}

function templatesOf(
  point: IntegrationPoint | undefined,
  providerType: string,
  type: Template['mapping_type'],
): AdditionalMapping[] {
  return ((point?.additionalMappings ?? []) as Template[])
    .filter((one) => (one.mapping_type ?? 'optional') === type && isFor(one, providerType))
    .map(({ providers: _for, mapping_type: _type, ...mapping }) => mapping);
}

function overlaps(one: AdditionalMapping, other: AdditionalMapping): boolean {
  return (
    one.resource === other.resource &&
    fieldOf(one) === fieldOf(other) &&
    one.actions.some((action) => other.actions.includes(action))
  );
}

/** Treats `custom_fields.x` and `x` as one field. */
function fieldOf({ destination }: AdditionalMapping): string {
  return destination.replace(/^custom_fields\./, '');
}
