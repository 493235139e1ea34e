import { describe, expect, it } from '@jest/globals';
import type { ChangedState } from '#store';
import { maxListed, toReport, writeDigest } from './alarm-text.js';
import { gatherMs, maxGapMs, minGapMs, nextGapMs } from './mail-pace.js';

const place = {
  organizationName: 'Example Security',
  recipient: 'ops@example.com',
  consoleUrl: 'https://api.example.com/console/',
};

const changed = (more: Partial<ChangedState> = {}): ChangedState => ({
  accountId: 'acc_1',
  accountName: 'Acme',
  environment: 'prod',
  integrationId: 'int_1',
  integrationName: 'Service desk',
  providerName: 'GitHub Issues',
  status: 'credentials_refused',
  since: new Date('2026-11-29T01:02:03Z'),
  previousStatus: 'healthy',
  changes: 1,
  error: 'GitHub Issues refuses crd_1: Bad credentials',
  ...more,
});

describe('a mail about alarms', () => {
  it('says what stopped, since when, in the words of the provider, where to look and how to stop the mails', () => {
    expect(writeDigest([changed()], place)).toEqual({
      subject: '“Service desk” of “Acme”: the provider refuses the credential',
      text: `Not working:

“Service desk” of “Acme” (GitHub Issues, prod)
  Since 2026-11-29 01:02 UTC: the provider refuses the credential.
  GitHub Issues refuses crd_1: Bad credentials
  https://api.example.com/console/integrations/acc_1/int_1

-- 
You get this mail because ops@example.com is one of the addresses for alarms of Example Security.
To stop it, have the address taken out of “Alarms by mail” in the settings of the organization: https://api.example.com/console/settings
`,
    });
  });

  it('has no links where nobody said where the console is', () => {
    const { text } = writeDigest([changed()], { ...place, consoleUrl: undefined });
    expect(text).not.toContain('http');
    expect(text).toContain('in the settings of the organization.\n');
  });

  it('has what works again behind what does not, the most urgent first', () => {
    const { subject, text } = writeDigest(
      [
        changed({ status: 'healthy', previousStatus: 'failing', error: null, accountName: 'A' }),
        changed({ status: 'unavailable', accountName: 'B', error: null }),
        changed({ accountName: 'C', changes: 7 }),
      ],
      place,
    );
    expect(subject).toBe('2 integrations not working, 1 integration working again');
    expect(text.match(/of “[A-C]”|Not working:|Working again:|It changed 7 times/g)).toEqual([
      'Not working:',
      'of “C”',
      'It changed 7 times',
      'of “B”',
      'Working again:',
      'of “A”',
    ]);
    expect(text).toContain(
      '  Before: the response of the provider is invalid, or a mapping fails on it.',
    );
  });

  it('lists some of many integrations, and counts the others', () => {
    const changes = Array.from({ length: maxListed + 450 }, (_, index) =>
      changed({ integrationId: `int_${index}` }),
    );
    const { subject, text } = writeDigest(changes, place);
    expect(subject).toBe('500 integrations not working');
    expect(text.match(/console\/integrations\/acc_1/g)).toHaveLength(maxListed);
    expect(text).toContain(
      'And 450 integrations more: https://api.example.com/console/integrations\n',
    );
    expect(text.length).toBeLessThan(50_000);
  });

  it('has each text of others on one line, cut to a length', () => {
    const hostile =
      'Desk\r\nBcc: victim@example.com\r\n\r\nNot working:\u2028\u202egnp\u0000\t' +
      'x'.repeat(9_000);
    const { subject, text } = writeDigest(
      [changed({ integrationName: hostile, accountName: hostile, error: hostile })],
      { ...place, organizationName: hostile },
    );
    // eslint-disable-next-line no-control-regex
    expect(subject).toMatch(/^[^\x00-\x1f\x7f\u2028\u202e]{1,150}$/);
    expect(text.split('\n').filter((line) => /^(?:Bcc|Not working)/.test(line))).toEqual([
      'Not working:',
    ]);
    expect(text).not.toMatch(/[\r\u2028\u202e\0]/);
    expect(text.length).toBeLessThan(2_000);
  });
});

describe('changes that a mail tells of', () => {
  it('are not the first calls of a new integration that works', () => {
    const calm = changed({ status: 'healthy', previousStatus: null, error: null });
    const first = changed({ previousStatus: null });
    const between = changed({ status: 'healthy', previousStatus: 'healthy', changes: 2 });
    expect(toReport([calm, first, between])).toEqual([first, between]);
  });
});

describe('the time between two mails', () => {
  it('doubles while one follows the other, up to a bound, and is short again behind a quiet time', () => {
    let now = 0;
    let pace = { mailedAt: null as Date | null, gapMs: 0 };
    const gaps: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      pace = { gapMs: nextGapMs(pace, now), mailedAt: new Date(now) };
      gaps.push(pace.gapMs / minGapMs);
      now += pace.gapMs + gatherMs;
    }
    expect(gaps).toEqual([1, 2, 4, 8, 12, 12]);
    expect(pace.gapMs).toBe(maxGapMs);
    expect(nextGapMs(pace, now + 2 * maxGapMs)).toBe(minGapMs);
  });
});
