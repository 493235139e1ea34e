import type { ManagementSchemas } from '#contract';
import { fault } from '#management/core';

type Options = ManagementSchemas['AlarmMailOptions'] | null | undefined;

/** Plain addresses: no names, comments or quotes, which mail programs read in more ways than one, and no second address behind a comma. */
const mailbox =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;
const maxLocalLength = 64;

/** Checks who gets alarms by mail. @throws ApiError 400 */
export function checkAlarmMailOptions(options: Options): void {
  for (const [index, address] of (options?.addresses ?? []).entries())
    if (!mailbox.test(address) || address.indexOf('@') > maxLocalLength)
      throw fault(`/options/alarm_mails/addresses/${index}`, 'is not a mail address', {
        value: address,
        remediation: 'Write the address alone, such as alarms@example.com.',
      });
}
