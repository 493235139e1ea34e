import type { CompileContext } from './compile-context.js';
import type { CompiledCredential, CompiledSending } from './compiled-provider.js';
import { compileSession } from './compile-session.js';
import type { CompiledQuery, DocumentReader, Path } from './document-reader.js';
import { readText, type TextTemplate } from './path-template.js';
import { type CredentialKind, credentialKinds, type SendingSource } from './source.js';
import { documentNames, type VisibleNames } from './visible-names.js';

/** Compiles a slot of credentials: which kinds it accepts, and how each is sent. */
export function compileCredential(context: CompileContext, slot: string): CompiledCredential {
  const { reader, source } = context;
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
    kinds.set(kind, compileSending(context, place, sending, names));
  }
  if (kinds.size === 0)
    reader.fault(
      ['credentials', slot],
      `the credential "${slot}" accepts no kind`,
      `Add one of ${credentialKinds.join(', ')}.`,
    );
  const { optional = false, beside = false } = accepted;
  const opensSession = [...kinds.values()].some(({ session }) => session !== undefined);
  return { slot, optional, beside, kinds, opensSession };
}

const queryKeys = ['username', 'password', 'value', 'token_url', 'scope', 'region', 'secret'];

function compileSending(
  context: CompileContext,
  place: Path,
  source: SendingSource,
  names: VisibleNames,
): CompiledSending {
  const { reader } = context;
  const queries = new Map<string, CompiledQuery>();
  for (const key of queryKeys) {
    const query = reader.query([...place, key], names);
    if (query) queries.set(key, query);
  }
  const texts = new Map<string, TextTemplate>();
  for (const key of ['name', 'client'] as const)
    if (key in source) texts.set(key, readText(reader, [...place, key], names));
  const parameters = reader.template([...place, 'parameters'], names);
  const claims = reader.template([...place, 'claims'], names);
  const scopes = compileScopes(reader, place, source, names);
  const sending = { source, queries, texts, parameters, claims, scopes };
  if (source.send !== 'session') return { ...sending, session: undefined };
  const { session: ofSession } = documentNames(context.source);
  const as = compileSending(context, [...place, 'as'], source.as, ofSession);
  const session = { ...compileSession(context, place, source), as };
  return { ...sending, session };
}

function compileScopes(
  reader: DocumentReader,
  place: Path,
  source: SendingSource,
  names: VisibleNames,
): CompiledSending['scopes'] {
  if (source.send !== 'client_credentials') return [];
  return (source.scopes ?? []).flatMap((_one, index) => {
    const at = [...place, 'scopes', index];
    const origin = reader.query([...at, 'origin'], names);
    const scope = reader.query([...at, 'scope'], names);
    return origin && scope ? [{ origin, scope }] : [];
  });
}
