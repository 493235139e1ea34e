import type { ManagementSchemas } from '#contract';
import type { Organization } from '#store';
import { fault, recordView } from '#management/core';

/** An organization in responses to itself and to its parent organization. */
export function organizationView(organization: Organization): ManagementSchemas['Organization'] {
  const { contact, replyTo, picture, options, state, endDate } = organization;
  return {
    ...recordView(organization),
    organization_type: organization.organizationType,
    refresh_token_id: organization.refreshTokenId,
    ...(contact === null ? {} : { contact }),
    ...(replyTo === null ? {} : { reply_to: replyTo }),
    ...(picture === null ? {} : { picture }),
    ...(options === null ? {} : { options: options }),
    ...(state === null ? {} : { state }),
    ...(endDate === null ? {} : { end_date: endDate }),
  };
}

const maxLengths = { contact: 320, reply_to: 320, picture: 16_384 } as const;

/** Reads the contact fields of an organization. @throws ApiError 400 for a text that is too long */
export function organizationContact(
  body: Pick<ManagementSchemas['Organization'], 'contact' | 'reply_to' | 'picture'>,
): Pick<Organization, 'contact' | 'replyTo' | 'picture'> {
  for (const field of ['contact', 'reply_to', 'picture'] as const) {
    const { length } = body[field] ?? '';
    if (length > maxLengths[field])
      throw fault(`/${field}`, `has ${length} characters`, {
        remediation: `Use at most ${maxLengths[field]}.`,
      });
  }
  return {
    contact: body.contact ?? null,
    replyTo: body.reply_to ?? null,
    picture: body.picture ?? null,
  };
}
