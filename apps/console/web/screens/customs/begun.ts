/** The document that a new custom provider begins with. It compiles, and reads one ticket. */
export const begun = `provider: ticketing_example
version: 1.0.0
fullname: Example
vendor: Example

configuration:
  properties:
    url: { type: string, format: uri, description: Where the API is. }
  required: [url]

credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }

http:
  base_url: this.config.url

operations:
  ticketing_get_ticket:
    response: ticket
    steps:
      - path: /tickets/{this.path.ticketId}
    record: this.steps.call

mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.id.string()
        root.name = this.title
        root.summary = this.title
        root.created_at = this.created_at
        root.updated_at = this.updated_at
`;
