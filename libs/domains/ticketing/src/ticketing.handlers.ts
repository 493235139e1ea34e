import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { Connector } from '#connect';
import { badRequest, type Call, type OperationId, type Reply } from '#contract';

/** `/v1/ticketing`: every operation is one call of the provider. */
@Controller()
export class TicketingHandlers {
  constructor(private readonly connector: Connector) {}

  @Handles('ticketing_list_attachments_metadata')
  listAttachmentsMetadata(
    call: Call<'ticketing_list_attachments_metadata'>,
  ): Promise<Reply<'ticketing_list_attachments_metadata'>> {
    return this.run(call);
  }

  @Handles('ticketing_create_attachment')
  createAttachment(
    call: Call<'ticketing_create_attachment'>,
  ): Promise<Reply<'ticketing_create_attachment'>> {
    checkBase64(call.body.content);
    return this.run(call);
  }

  @Handles('ticketing_delete_attachment')
  deleteAttachment(
    call: Call<'ticketing_delete_attachment'>,
  ): Promise<Reply<'ticketing_delete_attachment'>> {
    return this.run(call);
  }

  @Handles('ticketing_download_attachment')
  downloadAttachment(
    call: Call<'ticketing_download_attachment'>,
  ): Promise<Reply<'ticketing_download_attachment'>> {
    return this.run(call);
  }

  @Handles('ticketing_query_escalation_policies')
  queryEscalationPolicies(
    call: Call<'ticketing_query_escalation_policies'>,
  ): Promise<Reply<'ticketing_query_escalation_policies'>> {
    return this.run(call);
  }

  @Handles('ticketing_list_on_call')
  listOnCall(call: Call<'ticketing_list_on_call'>): Promise<Reply<'ticketing_list_on_call'>> {
    return this.run(call);
  }

  @Handles('ticketing_list_projects')
  listProjects(call: Call<'ticketing_list_projects'>): Promise<Reply<'ticketing_list_projects'>> {
    return this.run(call);
  }

  @Handles('ticketing_list_remote_fields')
  listRemoteFields(
    call: Call<'ticketing_list_remote_fields'>,
  ): Promise<Reply<'ticketing_list_remote_fields'>> {
    return this.run(call);
  }

  @Handles('ticketing_query_tickets')
  queryTickets(call: Call<'ticketing_query_tickets'>): Promise<Reply<'ticketing_query_tickets'>> {
    return this.run(call);
  }

  @Handles('ticketing_create_ticket')
  createTicket(call: Call<'ticketing_create_ticket'>): Promise<Reply<'ticketing_create_ticket'>> {
    return this.run(call);
  }

  @Handles('ticketing_get_ticket')
  getTicket(call: Call<'ticketing_get_ticket'>): Promise<Reply<'ticketing_get_ticket'>> {
    return this.run(call);
  }

  @Handles('ticketing_patch_ticket')
  patchTicket(call: Call<'ticketing_patch_ticket'>): Promise<Reply<'ticketing_patch_ticket'>> {
    return this.run(call);
  }

  @Handles('ticketing_list_comments')
  listComments(call: Call<'ticketing_list_comments'>): Promise<Reply<'ticketing_list_comments'>> {
    return this.run(call);
  }

  @Handles('ticketing_create_comment')
  createComment(
    call: Call<'ticketing_create_comment'>,
  ): Promise<Reply<'ticketing_create_comment'>> {
    return this.run(call);
  }

  @Handles('ticketing_delete_comment')
  deleteComment(
    call: Call<'ticketing_delete_comment'>,
  ): Promise<Reply<'ticketing_delete_comment'>> {
    return this.run(call);
  }

  @Handles('ticketing_list_notes')
  listNotes(call: Call<'ticketing_list_notes'>): Promise<Reply<'ticketing_list_notes'>> {
    return this.run(call);
  }

  @Handles('ticketing_create_note')
  createNote(call: Call<'ticketing_create_note'>): Promise<Reply<'ticketing_create_note'>> {
    return this.run(call);
  }

  @Handles('ticketing_patch_note')
  patchNote(call: Call<'ticketing_patch_note'>): Promise<Reply<'ticketing_patch_note'>> {
    return this.run(call);
  }

  @Handles('ticketing_delete_note')
  deleteNote(call: Call<'ticketing_delete_note'>): Promise<Reply<'ticketing_delete_note'>> {
    return this.run(call);
  }

  private async run<Id extends OperationId>(call: Call<Id>): Promise<Reply<Id>> {
    return (await this.connector.run(call)) as Reply<Id>;
  }
}

/** The contract has it as `contentEncoding`, which nobody checks before. @throws ApiError 400 */
function checkBase64(content: string): void {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') === content.replace(/=+$/, '')) return;
  throw badRequest({
    location: 'body',
    pointer: '/content',
    message: 'is not base64',
    remediation: 'Send the bytes of the file in base64.',
  });
}
