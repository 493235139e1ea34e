import type { JWK } from 'jose';
import type { Bridge } from '#store';

const algorithm = 'EdDSA';

/**
 * The credential agents of a bridge group will connect with, a JWT. Its key pair is made for it alone and the private half is
 * dropped: what is stored checks the credential, and nobody can make a second one. It ends when the bridge group is deleted.
 */
export async function issueBridgeCredential(
  bridge: Pick<Bridge, 'id' | 'accountId' | 'organizationId' | 'createdAt'>,
): Promise<{ credential: string; publicKey: JWK & Record<string, unknown> }> {
  const { exportJWK, generateKeyPair, SignJWT } = await import('jose'); // few installations have bridges
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const credential = await new SignJWT({
    organization_id: bridge.organizationId,
    account_id: bridge.accountId,
  })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer('onefold')
    .setSubject(bridge.id)
    .setIssuedAt(bridge.createdAt)
    .sign(privateKey);
  return { credential, publicKey: { ...(await exportJWK(publicKey)), alg: algorithm } };
}
