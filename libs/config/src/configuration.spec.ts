import { describe, expect, it } from '@jest/globals';
import {
  FromVariable,
  httpAddress,
  loadConfiguration,
  settingsOf,
  combineSettings,
} from './index.js';
import { SigningSettings } from './shared-settings.js';

class Base {
  @FromVariable({
    variable: 'LOG_LEVEL',
    about: 'The least severe lines to write.',
    schema: { enum: ['info', 'error'] },
  })
  level: string = 'info';
}

class Example extends Base {
  @FromVariable({
    variable: 'PORT',
    about: 'Where to listen.',
    schema: { type: 'integer', minimum: 0, maximum: 65_535 },
  })
  port: number = 8080;

  @FromVariable({ variable: 'DOMAINS', about: 'What to serve.' })
  domains: string[] = [];

  @FromVariable({ variable: 'VERBOSE', about: 'Whether to tell more.' })
  verbose: boolean = false;

  @FromVariable({
    variable: 'DATABASE_URL',
    about: 'The database.',
    secret: true,
    optional: true,
    schema: { format: 'url', pattern: '^postgres:' },
    rule: 'must be a URL address',
  })
  database?: string;
}

class Ruled extends combineSettings(Example, SigningSettings) {
  @FromVariable({
    variable: 'DOMAINS',
    about: 'What to serve.',
    schema: { enum: ['edr', 'siem'] },
    rule: 'must be a list of edr and siem',
  })
  served: string[] = [];

  @FromVariable({ variable: 'PUBLIC_URL', about: 'The address.', optional: true, ...httpAddress })
  publicUrl?: string;
}

describe('the configuration', () => {
  it('is read from the variables, with defaults for absent or empty ones', () => {
    expect(loadConfiguration(Example, { PORT: '', DOMAINS: 'ticketing, edr' })).toMatchObject({
      level: 'info',
      port: 8080,
      domains: ['ticketing', 'edr'],
      verbose: false,
    });
    expect(loadConfiguration(Example, { PORT: '0', VERBOSE: 'true' })).toMatchObject({
      port: 0,
      verbose: true,
    });
  });

  it('lists every error with variable, rule, value and purpose', () => {
    expect(() => loadConfiguration(Example, { PORT: '70000', LOG_LEVEL: 'loud' })).toThrow(
      [
        'The configuration is invalid:',
        '  LOG_LEVEL must be one of the following values: info, error, but it is "loud". The least severe lines to write.',
        '  PORT must not be greater than 65535, but it is "70000". Where to listen.',
      ].join('\n'),
    );
  });

  it.each([
    [{ PORT: 'eighty' }, 'PORT must be an integer number, but it is "eighty"'],
    [{ PORT: '80.5' }, 'PORT must be an integer number, but it is "80.5"'],
    [{ PORT: '-1' }, 'PORT must not be less than 0, but it is "-1"'],
    [{ VERBOSE: 'maybe' }, 'VERBOSE must be on or off, but it is "maybe"'],
    [{ DOMAINS: 'edr,crm' }, 'DOMAINS must be a list of edr and siem, but it is "edr,crm"'],
    [{ PUBLIC_URL: 'api.example.com' }, 'PUBLIC_URL must be a URL address'],
    [{ PUBLIC_URL: 'https://a b' }, 'PUBLIC_URL must be a URL address'],
    [{ PUBLIC_URL: 'ftp://example.com' }, 'PUBLIC_URL must be a URL address'],
    [
      { WEBHOOK_SIGNATURE_HEADER: 'Content-Type' },
      'must be a header name such as X-Acme-Signature',
    ],
    [{ WEBHOOK_SIGNATURE_HEADER: 'X Acme' }, 'must be a header name such as X-Acme-Signature'],
  ])('refuses %j', (variables, message) => {
    expect(() => loadConfiguration(Ruled, variables)).toThrow(message);
  });

  it.each([
    [{ DOMAINS: 'edr, siem' }],
    [{ PUBLIC_URL: 'http://localhost:8080' }],
    [{ PUBLIC_URL: 'http://[::1]:8080/path' }],
    [{ WEBHOOK_SIGNATURE_HEADER: 'X-Acme-Signature' }],
    [{ VERBOSE: 'OFF' }],
  ])('accepts %j', (variables) => {
    expect(() => loadConfiguration(Ruled, variables)).not.toThrow();
  });

  it('explains the purpose of a missing variable', () => {
    class Needs {
      @FromVariable({ variable: 'KEY_FILE', about: 'Where the key is.' })
      keyFile!: string;
    }
    expect(() => loadConfiguration(Needs, { KEY_FILE: '' })).toThrow(
      'KEY_FILE is missing. Where the key is.',
    );
  });

  it('refuses an empty variable whose absence means something else', () => {
    class Chooses {
      @FromVariable({
        variable: 'DATABASE_URL',
        about: 'Your own database.',
        default: 'embedded',
        optional: true,
      })
      databaseUrl?: string;
    }
    expect(loadConfiguration(Chooses, {}).databaseUrl).toBeUndefined();
    expect(() => loadConfiguration(Chooses, { DATABASE_URL: '' })).toThrow(
      'DATABASE_URL is empty: set it, or remove it. Your own database.',
    );
  });

  it('does not print secret values', () => {
    const load = () => loadConfiguration(Example, { DATABASE_URL: 'mysql://user:hunter2@host/db' });
    expect(load).toThrow('DATABASE_URL must be a URL address');
    expect(load).not.toThrow('hunter2');
  });

  it('includes the settings of base classes', () => {
    expect(settingsOf(Example).map(({ variable, type }) => [variable, type])).toEqual([
      ['LOG_LEVEL', 'text'],
      ['PORT', 'number'],
      ['DOMAINS', 'list'],
      ['VERBOSE', 'yes or no'],
      ['DATABASE_URL', 'text'],
    ]);
  });

  it('combines classes, with their defaults and each setting once', () => {
    class Written {
      @FromVariable({ variable: 'FOLDER', about: 'Where to write.' })
      folder: string = './out';
    }
    class Both extends combineSettings(combineSettings(Example, Written), Written) {
      override port: number = 9090;
    }
    const variables = settingsOf(Both).map(({ variable }) => variable);
    expect(variables).toEqual([
      'LOG_LEVEL',
      'PORT',
      'DOMAINS',
      'VERBOSE',
      'DATABASE_URL',
      'FOLDER',
    ]);
    expect(loadConfiguration(Both, { VERBOSE: 'yes' })).toMatchObject({
      level: 'info',
      port: 9090,
      verbose: true,
      folder: './out',
    });
    expect(() => loadConfiguration(Both, { PORT: 'x' })).toThrow('PORT must be');
  });
});
