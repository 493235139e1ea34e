import type { ManagementSchemas } from '#contract';
import type { Organization } from '#store';
import { fault, recordView } from '#management/core';

/** An organization as answers show it, to itself and to the one it is a sub organization of. */
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

const longest = { contact: 320, reply_to: 320, picture: 16_384 } as const;

/** What an organization says about itself besides its names. @throws ApiError 400 for a text that is too long */
export function organizationContact(
  body: Pick<ManagementSchemas['Organization'], 'contact' | 'reply_to' | 'picture'>,
): Pick<Organization, 'contact' | 'replyTo' | 'picture'> {
  for (const field of ['contact', 'reply_to', 'picture'] as const) {
    const { length } = body[field] ?? '';
    if (length > longest[field])
      throw fault(`/${field}`, `has ${length} characters`, {
        remediation: `Use at most ${longest[field]}.`,
      });
  }
  return {
    contact: body.contact ?? null,
    replyTo: body.reply_to ?? null,
    picture: body.picture ?? null,
  };
}
