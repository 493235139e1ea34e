import type { JWK } from 'jose';
import type { Bridge } from '#store';

const algorithm = 'EdDSA';

/**
 * Issues the credential that agents of a bridge group connect with, a JWT. Its key pair is made for it alone and
 * the private key is dropped: the stored public key verifies the credential, and nobody can make a second one. It is
 * valid until the public key of the next one is stored, or the bridge group is deleted.
 */
export async function issueBridgeCredential(
  bridge: Pick<Bridge, 'id' | 'accountId' | 'organizationId'>,
  issuedAt: Date,
): Promise<{ credential: string; publicKey: JWK & Record<string, unknown> }> {
  const { exportJWK, generateKeyPair, SignJWT } = await import('jose'); // Loaded at the first use, because few
  // installations have bridges.
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const credential = await new SignJWT({
    organization_id: bridge.organizationId,
    account_id: bridge.accountId,
  })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer('onefold')
    .setSubject(bridge.id)
    .setIssuedAt(issuedAt)
    .sign(privateKey);
  return { credential, publicKey: { ...(await exportJWK(publicKey)), alg: algorithm } };
}

/** Reads which group a credential names, without verifying it. */
export async function readBridgeCredential(
  credential: string,
): Promise<{ organizationId: string; bridgeId: string } | undefined> {
  const { decodeJwt } = await import('jose');
  try {
    const { sub, organization_id: organizationId } = decodeJwt(credential);
    if (typeof sub !== 'string' || typeof organizationId !== 'string') return undefined;
    return { organizationId, bridgeId: sub };
  } catch {
    return undefined;
  }
}

/** Tells whether a credential is the one that was issued last for the group. */
export async function verifyBridgeCredential(
  credential: string,
  { id, publicKey }: Pick<Bridge, 'id' | 'publicKey'>,
): Promise<boolean> {
  const { importJWK, jwtVerify } = await import('jose');
  const rules = { algorithms: [algorithm], issuer: 'onefold', subject: id };
  try {
    await jwtVerify(credential, await importJWK(publicKey as JWK), rules);
    return true;
  } catch {
    return false;
  }
}
