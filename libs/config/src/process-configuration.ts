import { Secret } from '#secrets';
import { ObservedConfiguration } from './observed-configuration.js';
import { FromVariable } from './setting.js';

/** Settings of every process that may be on the bus: authentication and TLS with NATS, all optional; docs/bus.md explains them. */
export class ProcessConfiguration extends ObservedConfiguration {
  @FromVariable({
    variable: 'NATS_USER',
    about: 'The NATS user of this process, with NATS_PASSWORD.',
    default: 'none',
    optional: true,
  })
  natsUser?: string;

  @FromVariable({
    variable: 'NATS_PASSWORD',
    about: 'The password of NATS_USER.',
    default: 'none',
    secret: true,
    optional: true,
  })
  natsPassword?: Secret;

  @FromVariable({
    variable: 'NATS_CREDENTIALS_FILE',
    about: 'A `.creds` file with the JWT and the NKEY seed of a NATS user.',
    default: 'none',
    optional: true,
  })
  natsCredentialsFile?: string;

  @FromVariable({
    variable: 'NATS_NKEY_FILE',
    about: 'A file with the NKEY seed of a NATS user.',
    default: 'none',
    optional: true,
  })
  natsNkeyFile?: string;

  @FromVariable({
    variable: 'NATS_CA_FILE',
    about:
      'The certificate authorities (PEM) of the NATS servers; TLS is required when this is set.',
    default: 'those that Node.js trusts',
    optional: true,
  })
  natsCaFile?: string;

  @FromVariable({
    variable: 'NATS_CERT_FILE',
    about: 'The client certificate (PEM) that this process shows to NATS, with NATS_KEY_FILE.',
    default: 'none',
    optional: true,
  })
  natsCertFile?: string;

  @FromVariable({
    variable: 'NATS_KEY_FILE',
    about: 'The key (PEM) of NATS_CERT_FILE.',
    default: 'none',
    optional: true,
  })
  natsKeyFile?: string;
}
