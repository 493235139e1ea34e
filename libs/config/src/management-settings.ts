import { combineSettings } from './combine-settings.js';
import { FromVariable } from './setting.js';
import { AwsSettings, EgressSettings, MappingSettings } from './shared-settings.js';

/** Settings of the management API, in the management process and in the standalone one. */
export class ManagementSettings extends combineSettings(
  EgressSettings,
  MappingSettings,
  AwsSettings,
) {
  @FromVariable({
    variable: 'AUDIT_DAYS',
    about: 'How many days records of the audit trail are kept; they are deleted in whole months.',
    schema: { type: 'integer', minimum: 1, maximum: 36_500 },
  })
  auditDays: number = 365;

  @FromVariable({
    variable: 'DELIVERY_DAYS',
    about:
      'How many days deliveries to webhooks are kept, with their bodies: for so long they can be listed and replayed. They are tried for up to 3 days, so at least 4.',
    schema: { type: 'integer', minimum: 4, maximum: 365 },
  })
  deliveryDays: number = 30;

  @FromVariable({
    variable: 'REQUEST_LOG_DAYS',
    about: 'How many days calls of integrations are kept in the request log (docs/requests.md).',
    schema: { type: 'integer', minimum: 1, maximum: 365 },
  })
  requestLogDays: number = 7;

  @FromVariable({
    variable: 'MOCKS',
    about:
      'Whether integrations can be made of mocks, which answer from a made-up company instead of a system. `off` takes them out of the capabilities, too; integrations that there are keep working.',
  })
  mocks: boolean = true;
}
