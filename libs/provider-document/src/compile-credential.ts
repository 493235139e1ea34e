import type { CompileContext } from './compile-context.js';
import type { CompiledCredential, CompiledSending } from './compiled-provider.js';
import type { CompiledQuery } from './document-reader.js';
import { readText, type TextTemplate } from './path-template.js';
import { documentNames } from './visible-names.js';
import { type CredentialKind, credentialKinds } from './source.js';

/** Compiles a slot of credentials: which kinds it accepts, and how each is sent. */
export function compileCredential(
  { reader, source }: CompileContext,
  slot: string,
): CompiledCredential {
  const accepted = source.credentials?.[slot] ?? {};
  const kinds = new Map<CredentialKind, CompiledSending>();
  const { credential: names } = documentNames(source);
  for (const kind of credentialKinds) {
    const sending = accepted[kind];
    if (sending === undefined) continue;
    const place = ['credentials', slot, kind];
    if ((kind === 'tls_certificate') !== (sending.send === 'tls'))
      reader.fault(
        [...place, 'send'],
        `a ${kind} cannot be sent by ${sending.send}`,
        'A tls_certificate is sent by tls, and nothing else is.',
      );
    if (kind === 'aws_role' && sending.send !== 'sigv4')
      reader.fault(
        [...place, 'send'],
        `a ${kind} cannot be sent by ${sending.send}`,
        'A role has nothing to send: its temporary keys sign requests by sigv4.',
      );
    const queries = new Map<string, CompiledQuery>();
    for (const key of ['username', 'password', 'value', 'token_url', 'scope', 'region', 'secret']) {
      const query = reader.query([...place, key], names);
      if (query) queries.set(key, query);
    }
    const texts = new Map<string, TextTemplate>();
    for (const key of ['name', 'client'] as const)
      if (key in sending) texts.set(key, readText(reader, [...place, key], names));
    kinds.set(kind, {
      source: sending,
      queries,
      texts,
      parameters: reader.template([...place, 'parameters'], names),
    });
  }
  if (kinds.size === 0)
    reader.fault(
      ['credentials', slot],
      `the credential "${slot}" accepts no kind`,
      `Add one of ${credentialKinds.join(', ')}.`,
    );
  const { optional = false, beside = false } = accepted;
  return { slot, optional, beside, kinds };
}
