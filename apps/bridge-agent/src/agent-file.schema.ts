const text = { type: 'string', minLength: 1 };
const bytes = { type: 'integer', minimum: 1 };

/** JSON Schema of the agent's configuration. */
export const agentFileSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['server', 'key_file', 'allow'],
  properties: {
    server: { type: 'string', pattern: '^https?://[^/?#@]+/?$' },
    credential_file: text,
    key_file: text,
    server_ca_file: text,
    ca_file: text,
    allow: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['origin'],
        properties: {
          origin: { type: 'string', pattern: '^https?://(\\*\\.)?[^/?#@*]+$' },
          methods: {
            type: 'array',
            minItems: 1,
            items: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] },
          },
          paths: {
            type: 'array',
            minItems: 1,
            items: { type: 'string', pattern: '^/[^*?#]*\\*?$' },
          },
        },
      },
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        request_bytes: bytes,
        response_bytes: bytes,
        timeout_seconds: { type: 'integer', minimum: 1, maximum: 3600 },
      },
    },
  },
};
