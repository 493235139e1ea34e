import type { Fault } from '#contract';
import { faults, type Note } from '#management/core';
import type { PatchOperation } from '#patch';

/** Note for a verification whose list failed, so that no record was held against the contract. */
export function recordsNotChecked(reason: string): Note {
  return {
    instance: 'records-not-checked',
    message: `no records were checked: ${reason}`,
    detail: 'A verification lists some records and holds them against the contract.',
  };
}

/** Note for a configuration that could not be verified, because its provider has no verification. */
export function nothingTried(providerType: string): Note {
  return {
    instance: 'nothing-tried',
    message: `the configuration is valid, but was not tested: ${providerType} has no verification`,
    detail: 'The fields were checked. No call was made to the provider.',
  };
}

/** Maximum number of fields that notes name. */
const maxDropped = 20;
const showsFields =
  'GET /v1/capabilities/providers/{providerId}?expand=provider_config shows its fields.';

/** Notes for fields of `provider_config` that are not stored, because the provider does not know them. @param dropped their JSON Pointers */
export function unknownFields(dropped: readonly string[]): Note[] {
  return dropped.slice(0, maxDropped).map((pointer) => ({
    instance: 'unknown-field',
    message: `${pointer} was not stored: the provider has no such field`,
    detail: 'Fields that the provider does not know are left out of provider_config.',
    remediation: showsFields,
    pointer,
  }));
}

/** Refuses a patch that names a field of `provider_config` which the provider does not know. @throws ApiError 400 */
export function refuseUnknown(patch: readonly PatchOperation[], dropped: readonly string[]): void {
  const found = patch.flatMap(({ op, path }, index): Fault[] => {
    const isDropped = dropped.some((pointer) => `${path}/`.startsWith(`${pointer}/`));
    if (op === 'test' || !isDropped) return [];
    return [
      {
        location: 'body',
        pointer: `/${index}/path`,
        message: `${path} is not a field of the provider`,
        value: path,
        remediation: showsFields,
      },
    ];
  });
  if (found.length > 0) throw faults(found);
}
