/** Code of a receiver that checks the signature of a delivery, by language. */
export const receivers: Readonly<Record<string, string>> = {
  TypeScript: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** body: as it came, before it is parsed. signature: the header x-onefold-signature. */
export function isFromOnefold(body: string, signature: string, secret: string): boolean {
  const expected = 'sha256=' + createHmac('sha256', secret).update(body).digest('hex');
  return (
    signature.length === expected.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  );
}`,
  Python: `import hashlib
import hmac

def is_from_onefold(body: bytes, signature: str, secret: str) -> bool:
    """body: as it came, before it is parsed. signature: the header x-onefold-signature."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())`,
  Go: `// body: as it came, before it is parsed. signature: the header x-onefold-signature.
func isFromOnefold(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}`,
  Java: `// body: as it came, before it is parsed. signature: the header x-onefold-signature.
static boolean isFromOnefold(byte[] body, String signature, String secret) throws Exception {
  Mac mac = Mac.getInstance("HmacSHA256");
  mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
  String expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
  return MessageDigest.isEqual(expected.getBytes(), signature.getBytes());
}`,
};
