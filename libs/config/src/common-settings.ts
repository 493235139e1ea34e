import { FromVariable } from './setting.js';

// Settings whose processes describe the others of their kind in their own words.

/** `NATS_URL: Secret`, for processes that need the bus. */
export const NatsUrl: PropertyDecorator = FromVariable({
  variable: 'NATS_URL',
  about:
    'The NATS server of the bus, such as `nats://nats:4222`, `tls://nats:4222` to require TLS, or `nats://gateway:password@nats:4222` with a user and password; several servers are separated by commas.',
  secret: true,
});

/** `OLD_KEY_FILES: string[]`, for processes that encrypt or decrypt. */
export const OldKeyFiles: PropertyDecorator = FromVariable({
  variable: 'OLD_KEY_FILES',
  about:
    'Files with key-encryption keys from before a rotation, separated by commas; these keys only decrypt.',
});

/** `BUS_KEY_FILE?: string`, for processes that need the bus. */
export const BusKeyFile: PropertyDecorator = FromVariable({
  variable: 'BUS_KEY_FILE',
  about:
    'A file with the key of the bus, which authenticates messages between processes; `npm run -s admin -- bus-key` writes it. Without it the key is derived from the key-encryption key, which a process with keys of single domains does not have (docs/keys.md).',
  default: 'none',
  optional: true,
});

/** `DOMAIN_KEYS: boolean`, for processes that encrypt or decrypt. */
export const DomainKeys: PropertyDecorator = FromVariable({
  variable: 'DOMAIN_KEYS',
  about:
    'Whether new data for a domain is sealed with the key of the domain, so that its connectors need no other one. Set it for management, connectors and operations alike (docs/keys.md).',
});

/** `VAULT_TOKEN_FILE?: string`, for processes that encrypt or decrypt. */
export const VaultTokenFile: PropertyDecorator = FromVariable({
  variable: 'VAULT_TOKEN_FILE',
  about:
    'A file with the token for Vault, if Vault wraps the key-encryption key; it is read for every call, so that an agent may renew it.',
  default: 'none',
  optional: true,
});

/** `PROVIDER_IMAGES_FOLDER: string`, for processes that serve the console or the Connect UI. */
export const ProviderImagesFolder: PropertyDecorator = FromVariable({
  variable: 'PROVIDER_IMAGES_FOLDER',
  about:
    'A folder with images of providers, such as `github.svg`, which the console and the Connect UI show in place of the letters of their names (docs/console.md). They are read at the start.',
  default: 'none',
});
