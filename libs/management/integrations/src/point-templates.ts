import type { ManagementSchemas } from '#contract';
import { fault } from '#management/core';
import type { IntegrationPoint } from '#store';

export type AdditionalMapping = ManagementSchemas['AdditionalMapping'];
type Template = ManagementSchemas['AdditionalMappingTemplate'];

/** True for what a point says of all providers, or of this one. */
export function isFor({ providers }: { providers?: readonly string[] }, type: string): boolean {
  return !providers || providers.includes('*') || providers.includes(type);
}

/** The additional mappings of a point that always run, whatever its integrations say. */
export function fixedMappings(
  point: IntegrationPoint | undefined,
  providerType: string,
): AdditionalMapping[] {
  return templatesOf(point, providerType, 'fixed');
}

/**
 * What an integration begins with that says nothing about additional mappings itself: those its point recommends. Optional ones
 * are offers to who sets it up, and fixed ones stay with the point.
 */
export function recommendedMappings(
  point: IntegrationPoint | undefined,
  providerType: string,
): AdditionalMapping[] | null {
  const found = templatesOf(point, providerType, 'recommended');
  return found.length === 0 ? null : found;
}

/** An integration's own mappings leave the fields alone that its point fixes. @throws ApiError 400 */
export function checkAgainstFixed(
  point: IntegrationPoint | undefined,
  providerType: string,
  own: readonly AdditionalMapping[] | null | undefined,
): void {
  const fixed = fixedMappings(point, providerType);
  for (const [index, one] of (own ?? []).entries())
    if (fixed.some((other) => meets(one, other)))
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

function meets(one: AdditionalMapping, other: AdditionalMapping): boolean {
  return (
    one.resource === other.resource &&
    fieldOf(one) === fieldOf(other) &&
    one.actions.some((action) => other.actions.includes(action))
  );
}

/** `custom_fields.x` and `x` are one field. */
function fieldOf({ destination }: AdditionalMapping): string {
  return destination.replace(/^custom_fields\./, '');
}
