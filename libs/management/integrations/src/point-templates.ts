import type { Caller, ManagementSchemas } from '#contract';
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
function recommendedMappings(
  point: IntegrationPoint | undefined,
  providerType: string,
): AdditionalMapping[] | null {
  const found = templatesOf(point, providerType, 'recommended');
  return found.length === 0 ? null : found;
}

/**
 * Additional mappings of a new integration: its own, or those that its point recommends. What a customer chose in a Connect session comes
 * behind these.
 */
export function mappingsOfNew(
  { connect }: Caller,
  point: IntegrationPoint | undefined,
  providerType: string,
  own: unknown,
): AdditionalMapping[] | null {
  const recommended = recommendedMappings(point, providerType);
  const chosen = own as AdditionalMapping[] | null;
  if (chosen === null || !connect) return chosen ?? recommended;
  return [...(recommended ?? []), ...chosen];
}

/** Keeps to what the point offers for choosing. @throws ApiError 400 */
export function checkAgainstOptional(
  point: IntegrationPoint | undefined,
  providerType: string,
  chosen: readonly AdditionalMapping[] | null | undefined,
): void {
  const offered = templatesOf(point, providerType, 'optional').map(textOf);
  for (const [index, one] of (chosen ?? []).entries())
    if (!offered.includes(textOf(one)))
      throw fault(
        `/additional_mappings/${index}`,
        'is not among those that the integration point offers for choosing',
        { remediation: 'Send one of additional_mappings of GET /v1/connect/session, or none.' },
      );
}

/** A text that two mappings share when they do the same. */
function textOf({ resource, actions, source, destination, literal, data_type }: AdditionalMapping) {
  return JSON.stringify([
    resource,
    actions.toSorted(),
    source,
    destination,
    literal ?? false,
    data_type,
  ]);
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
