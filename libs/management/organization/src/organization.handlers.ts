import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, conflict, type ManagementSchemas, type Reply } from '#contract';
import {
  changedNames,
  fault,
  ManagementContext,
  patchRecord,
  readDuration,
} from '#management/core';
import { checkAlarmMailOptions } from './alarm-mail-options.js';
import { checkConnectOptions } from './connect-options.js';
import { organizationContact, organizationView } from './organization-view.js';
import {
  isViolation,
  Organization,
  organizationQueries,
  type Reader,
  type Transaction,
} from '#store';

type View = ManagementSchemas['Organization'];

/** `/v1/organization`: the organization of the token. */
@Controller()
export class OrganizationHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('organization_get')
  async get(call: Call<'organization_get'>): Promise<Reply<'organization_get'>> {
    return await this.context.read(call, async (tx) => ({
      result: await readView(tx),
    }));
  }

  @Handles('organization_update')
  async update(call: Call<'organization_update'>): Promise<Reply<'organization_update'>> {
    return await this.context.write(call, async (tx) => ({
      result: await this.store(tx, await tx.organization(true), call.body),
    }));
  }

  @Handles('organization_patch')
  async patch(call: Call<'organization_patch'>): Promise<Reply<'organization_patch'>> {
    return await this.context.write(call, async (tx) => {
      const organization = await tx.organization(true);
      const before = organizationView(organization);
      const patched = patchRecord(before, call.body, {
        patch: 'organization_patch',
        update: 'organization_update',
      });
      checkOperatorFields(before, patched, call.body);
      return { result: await this.store(tx, organization, patched) };
    });
  }

  private async store(tx: Transaction, organization: Organization, body: View): Promise<View> {
    if (body.id !== organization.id)
      throw fault('/id', 'is not the id of the organization of the token', { value: body.id });
    const changed: Organization = {
      ...organization,
      ...changedNames(this.context, organization, body),
      ...organizationContact(body),
      options: checkOptions(body.options),
    };
    try {
      await organizationQueries.save(tx, changed);
    } catch (error) {
      if (!isViolation(error, '23505')) throw error;
      throw conflict(
        `the name "${changed.name}" is taken by another organization`,
        'Choose another name.',
      );
    }
    return await readView(tx);
  }
}

/** Reads the organization, with who sends its alarms by mail, which is a setting of the installation. */
async function readView(tx: Reader): Promise<View> {
  const { organization, sender } = await organizationQueries.getWithSender(tx);
  const view = organizationView(organization);
  return sender === null ? view : { ...view, alarm_mail_from: sender };
}

/** Refuses changes of what only the operator sets. @throws ApiError 400 */
function checkOperatorFields(before: View, patched: View, patch: readonly { path: string }[]) {
  for (const field of ['state', 'end_date', 'alarm_mail_from'] as const) {
    if ((patched[field] ?? null) === (before[field] ?? null)) continue;
    const index = patch.findIndex(({ path }) => path === `/${field}`);
    throw fault(index < 0 ? '' : `/${index}/path`, `${field} is read-only`, {
      remediation: 'Leave it out of the patch.',
    });
  }
}

const durations = ['invite_duration', 'forgot_duration', 'password_duration'] as const;

function checkOptions(options: View['options']): Record<string, unknown> | null {
  if (!options) return null;
  for (const name of durations) {
    const value = options[name];
    if (typeof value === 'string')
      readDuration(value, `/options/${name}`, { default: '24h', min: '1h', max: '3650d' });
  }
  const length = options.minimum_password_length;
  if (typeof length === 'number' && (length < 8 || length > 72))
    throw fault('/options/minimum_password_length', 'must be between 8 and 72', { value: length });
  checkAlarmMailOptions(options.alarm_mails);
  checkConnectOptions(options.connect);
  return options;
}
