import type { Note } from '#management/core';

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

/** Notes for fields of `provider_config` that are not stored, because the provider does not know them. @param dropped their JSON Pointers */
export function unknownFields(dropped: readonly string[]): Note[] {
  return dropped.slice(0, maxDropped).map((pointer) => ({
    instance: 'unknown-field',
    message: `${pointer} was not stored: the provider has no such field`,
    detail: 'Fields that the provider does not know are left out of provider_config.',
    remediation:
      'GET /v1/capabilities/providers/{providerId}?expand=provider_config shows its fields.',
    pointer,
  }));
}
