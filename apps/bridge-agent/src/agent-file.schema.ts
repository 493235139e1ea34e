const text = { type: 'string', minLength: 1 };
/** Without dots alone, which would lead out of the mount. */
const vaultPath = '^(?!\\.)[^/?#%\\s]+(/(?!\\.)[^/?#%\\s]+)*$';
const vaultPlace = {
  type: 'object',
  additionalProperties: false,
  required: ['path', 'key'],
  properties: { path: { type: 'string', pattern: vaultPath }, key: text },
};
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
    secrets: {
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'origins', 'fields'],
        properties: {
          name: { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]{0,99}$' },
          origins: {
            type: 'array',
            minItems: 1,
            items: { type: 'string', pattern: '^https?://[^/?#@*]+$' },
          },
          fields: {
            type: 'object',
            additionalProperties: false,
            minProperties: 1,
            patternProperties: {
              '^[a-z_]{1,40}$': {
                type: 'object',
                additionalProperties: false,
                minProperties: 1,
                maxProperties: 1,
                properties: { value: text, file: text, env: text, vault: vaultPlace },
              },
            },
          },
        },
      },
    },
    vault: {
      type: 'object',
      additionalProperties: false,
      required: ['address'],
      properties: {
        address: { type: 'string', pattern: '^https?://[^/?#@]+/?$' },
        token_file: text,
        token_env: text,
        mount: { type: 'string', pattern: vaultPath },
        namespace: text,
        refresh_seconds: { type: 'integer', minimum: 1, maximum: 86_400 },
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
