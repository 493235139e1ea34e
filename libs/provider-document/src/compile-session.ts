import type { CompileContext } from './compile-context.js';
import { compileRequest, failedQuery, wholeRequest } from './compile-request.js';
import type { CompiledRequest, CompiledSession } from './compiled-provider.js';
import type { Path } from './document-reader.js';
import type { SessionCallSource, SessionSource } from './source.js';
import { documentNames, type VisibleNames } from './visible-names.js';

/** Compiles how a session is opened and closed. How its token is sent is compiled as any way of sending. */
export function compileSession(
  context: CompileContext,
  place: Path,
  { login, logout }: SessionSource,
): CompiledSession {
  const { reader, source } = context;
  const { credential, response, logout: ofLogout } = documentNames(source);
  const ofResponse = { ...credential, ...response };
  const compile = (key: string, one: SessionCallSource, names: VisibleNames) => {
    const { path, url } = wholeRequest(context, one);
    if (path === undefined && url === undefined)
      reader.fault(
        [...place, key],
        'the call has no path',
        'Add path, or use: a call that has one.',
      );
    const compiled: CompiledRequest = compileRequest(
      context,
      [...place, key],
      one,
      names,
      ofResponse,
    );
    // Opening a second session does no harm.
    return { ...compiled, repeatable: one.repeatable ?? true };
  };
  return {
    login: compile('login', login, credential),
    token: reader.query([...place, 'token'], ofResponse) ?? failedQuery,
    lifetime: reader.query([...place, 'lifetime'], ofResponse),
    logout: logout && compile('logout', logout, ofLogout),
  };
}
