import * as client from 'openid-client';
import type { CustomFetch } from 'openid-client';
import { fault } from '#management/core';
import type { Secret } from '#secrets';
import { isLoopback, type OidcSettings } from './configuration-settings.js';
import type { Identity } from './identity.js';
import type { OidcSecrets } from './oidc-secrets.js';
import { refused, unreachable } from './refusals.js';

const timeoutSeconds = 10;
const clockToleranceSeconds = 60;

/** Signs on through an OpenID Connect provider, by authorization code with PKCE. */
export class OidcProvider {
  constructor(
    private readonly settings: OidcSettings,
    private readonly secret: Secret,
    private readonly fetch: CustomFetch,
  ) {}

  /**
   * Returns the address to redirect the browser to.
   * @param state identifies the sign-on in the response
   * @throws ApiError 502
   */
  async begin(
    state: string,
    redirectUri: string,
    { verifier, nonce }: OidcSecrets,
  ): Promise<string> {
    const configuration = await this.discover();
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /** Returns the identity of the response that came to the redirect address. @throws ApiError 403, 502 */
  async answer(answer: URL, state: string, { verifier, nonce }: OidcSecrets): Promise<Identity> {
    // Discovery and keys are fetched again, so that a key that has just changed is known.
    const configuration = await this.discover();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw refused('it contains no ID token');
      const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
      const more =
        claims['email'] === undefined && endpoint !== undefined
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      return identityOf(claims.sub, more);
    } catch (error) {
      throw explain(error);
    }
  }

  /** Asks the issuer for its discovery document. @throws ApiError 400 with the reason, for somebody who configures it */
  async check(): Promise<void> {
    try {
      await this.discover();
    } catch (error) {
      const { cause } = error as Error;
      throw fault('/config/issuer_url', `is not an issuer that answers: ${reasonOf(cause)}`, {
        value: this.settings.issuer_url,
        remediation: 'Compare it with the issuer that the identity provider shows.',
      });
    }
  }

  private async discover(): Promise<client.Configuration> {
    const { issuer_url: issuer, client_id: clientId } = this.settings;
    const url = new URL(issuer);
    try {
      const configuration = await client.discovery(
        url,
        clientId,
        { [client.clockTolerance]: clockToleranceSeconds },
        this.authenticate,
        {
          [client.customFetch]: this.fetch,
          timeout: timeoutSeconds,
          execute: [
            // Without it, the library trusts the connection to the token endpoint and does not verify the signature of
            // the ID token.
            client.enableNonRepudiationChecks,
            ...(isLoopback(url.hostname) ? [client.allowInsecureRequests] : []),
          ],
        },
      );
      return configuration;
    } catch (error) {
      throw unreachable(error);
    }
  }

  /** Returns how the provider expects the client secret; the default of the specification is the header. */
  private readonly authenticate: client.ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const secret = this.secret.reveal();
    const send = methods.includes('client_secret_post')
      ? client.ClientSecretPost(secret)
      : client.ClientSecretBasic(secret);
    return send(server, ...rest);
  };
}

/** Returns the identity in the claims of an ID token or of the userinfo endpoint. */
export function identityOf(subject: string, claims: Record<string, unknown>): Identity {
  const { email, email_verified: verified, name } = claims;
  return {
    subject,
    // Providers that verify no addresses leave it out; every other value, such as the text "false", is not `true`.
    email:
      typeof email === 'string' && (verified === undefined || verified === true) ? email : null,
    fullname: typeof name === 'string' ? name : null,
  };
}

/** Turns an error of the library into a failure with the reason and without secrets. */
function explain(error: unknown): unknown {
  if (error instanceof client.AuthorizationResponseError)
    return refused(`the provider returned ${shorten(error.error)}`, error);
  if (error instanceof client.ResponseBodyError)
    return refused(`the provider refused the code: ${shorten(error.error)}`, error);
  if (error instanceof client.ClientError || error instanceof client.WWWAuthenticateChallengeError)
    return isNetwork(error) ? unreachable(error) : refused(reasonOf(error), error);
  return error instanceof TypeError ? unreachable(error) : error;
}

function isNetwork({ code }: { code?: string | undefined }): boolean {
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  return shorten(cause instanceof Error ? `${error.message}, ${cause.message}` : error.message);
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
