import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { Connector } from '#connect';
import type { Call, OperationId, Reply } from '#contract';

/** `/v1/storage`: every operation is one call of the provider. Files pass as they come. */
@Controller()
export class StorageHandlers {
  constructor(private readonly connector: Connector) {}

  @Handles('storage_download_file')
  downloadFile(call: Call<'storage_download_file'>): Promise<Reply<'storage_download_file'>> {
    return this.run(call);
  }

  @Handles('storage_upload_file')
  uploadFile(call: Call<'storage_upload_file'>): Promise<Reply<'storage_upload_file'>> {
    return this.run(call);
  }

  @Handles('storage_delete_file')
  deleteFile(call: Call<'storage_delete_file'>): Promise<Reply<'storage_delete_file'>> {
    return this.run(call);
  }

  @Handles('storage_list_files')
  listFiles(call: Call<'storage_list_files'>): Promise<Reply<'storage_list_files'>> {
    return this.run(call);
  }

  private async run<Id extends OperationId>(call: Call<Id>): Promise<Reply<Id>> {
    return (await this.connector.run(call)) as Reply<Id>;
  }
}
