/** The provider of `storage.ts`. */
export const filesDocument = `
provider: custom_files
version: 1.0.0
fullname: Files
vendor: Tests
configuration:
  properties: { url: { type: string, pattern: '^http' } }
  required: [url]
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http:
  base_url: this.config.url
  message: this.body.why
operations:
  storage_download_file:
    needs: Read files
    steps: [{ path: '/{+this.path.path}', answer: stream }]
  storage_upload_file:
    needs: Write files
    steps:
      - { name: stored, method: PUT, path: '/{+this.path.path}', encoding: stream }
  storage_delete_file:
    steps: [{ method: DELETE, path: '/{+this.path.path}' }]
`;
