import type { RequestFault } from '../forms/faults.js';
import { fill, locale, type Words, words } from './words.js';

type Say = (words: Words, values: Readonly<Record<string, string>>) => string;

const fault =
  (name: keyof Words['faults']): Say =>
  ({ faults }, values) =>
    fill(faults[name], values);

/** Faults of fields of a provider, by the messages of the service, each with the sentence that customers read instead. */
const rules: readonly (readonly [RegExp, Say])[] = [
  [/^(?:is required|must not be empty)/i, ({ needed }) => needed],
  [/^is not a valid (?:uri|url)\b|^must be a uri\b/i, ({ address }) => address],
  [/^must be an https or http address/i, fault('notHttp')],
  [/^contains a user or password/i, fault('withPassword')],
  [/^must have at most (?<max>\d+) characters/i, fault('tooLong')],
  [/^has \d+ characters, at most (?<max>\d+) /i, fault('tooLong')],
  [/^must have at least (?<min>\d+) characters/i, fault('tooShort')],
  [/^must be greater than or equal to (?<min>[-\d.]*\d)/i, fault('tooSmall')],
  [/^must be less than or equal to (?<max>[-\d.]*\d)/i, fault('tooLarge')],
  [/^must be between (?<min>\d+) and (?<max>\d+)/i, fault('outside')],
  [/^does not meet maximum length of (?<max>\d+)/i, fault('tooMany')],
  [/^does not meet minimum length of (?<min>\d+)/i, fault('tooFew')],
  [/^must be (?:of type )?integer/i, fault('notWholeNumber')],
  [/^must be (?:of type )?number/i, fault('notNumber')],
  [/^must be (?:of type )?(?:array|object)/i, ({ notJson }) => notJson],
  [/^must be one of (?<values>.+)\.$/i, ({ anyOf }, values) => fill(anyOf, values)],
  [/^contains a line break/i, fault('lineBreak')],
  [/^contains a character that is not allowed/i, fault('wrongCharacter')],
  [/^is not a valid PEM certificate/i, fault('notCertificate')],
  [/^expired at /i, fault('certificateExpired')],
  [/^is not a valid PEM private key/i, fault('notKey')],
  [/^does not match the certificate/i, fault('otherKey')],
  [/^is not a valid value of AWS/i, fault('notAws')],
  [/^is not (?:allowed|offered)\b/i, fault('notOffered')],
  [
    /^(?:does not match|is not a valid|is not base64|is too long|must be of type)\b/i,
    fault('wrongForm'),
  ],
];

/**
 * Says a fault of a field in the language of the page, with what the customer can do. The remedies of the service are for the people of the
 * host. A message without a rule, such as one of a rare keyword in a document of the host's own, stays in its words to those who read English.
 */
export function messageOf({ message, remedy = '' }: RequestFault): string {
  const all = words.value;
  const start = /^must begin with the id/i.test(message) && /^Use (?<start>[^,\s]+),/.exec(remedy);
  if (start) return fill(all.faults.otherAccount, start.groups ?? {});
  for (const [pattern, say] of rules) {
    const found = pattern.exec(message);
    if (found) return say(all, found.groups ?? {});
  }
  return locale.value === 'en' ? message : all.wrongValue;
}
