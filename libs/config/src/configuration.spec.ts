import { IsIn, IsInt, IsOptional, IsString, IsUrl, Max, Min } from './checks.js';
import { describe, expect, it } from '@jest/globals';
import { FromVariable, loadConfiguration, settingsOf } from './index.js';

class Base {
  @FromVariable({ variable: 'LOG_LEVEL', about: 'The least severe lines to write.' })
  @IsIn(['info', 'error'])
  level: string = 'info';
}

class Example extends Base {
  @FromVariable({ variable: 'PORT', about: 'Where to listen.' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number = 8080;

  @FromVariable({ variable: 'DOMAINS', about: 'What to serve.' })
  domains: string[] = [];

  @FromVariable({ variable: 'VERBOSE', about: 'Whether to tell more.' })
  verbose: boolean = false;

  @FromVariable({ variable: 'DATABASE_URL', about: 'The database.', secret: true })
  @IsOptional()
  @IsString()
  @IsUrl({ protocols: ['postgres'], require_tld: false })
  database?: string;
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

  it('explains the purpose of a missing variable', () => {
    class Needs {
      @FromVariable({ variable: 'KEY_FILE', about: 'Where the key is.' })
      @IsString()
      keyFile!: string;
    }
    expect(() => loadConfiguration(Needs, { KEY_FILE: '' })).toThrow(
      'KEY_FILE is missing. Where the key is.',
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
});
