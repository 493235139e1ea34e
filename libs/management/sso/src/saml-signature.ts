import { SignedXml } from 'xml-crypto';
import { refused } from './refusals.js';
import { allIn, attributeOf, childOf, type XmlElement } from './xml.js';

const namespace = 'http://www.w3.org/2000/09/xmldsig#';
/** Elements of a `SignedInfo`: one reference, with its transforms and their prefixes, has about ten. */
const maxElements = 50;

interface XmlAttributes {
  length: number;
  item(index: number): { nodeName: string; nodeValue: string | null } | null;
}

/**
 * Finds the certificates by whose keys signatures were made. This looks at the `SignedInfo` of each alone, which takes a millisecond,
 * so that only a document of the identity provider comes to the library: it searches all elements, several times for each certificate.
 * The library still verifies everything.
 * @throws ApiError 403 if one of the signatures was made by none of the keys
 */
export function findSigners(
  signatures: readonly XmlElement[],
  certificates: readonly string[],
): string[] {
  const signers = new Set<string>();
  for (const signature of signatures) {
    const signer = findSigner(signature, certificates);
    if (signer === undefined) throw refused('Invalid signature');
    signers.add(signer);
  }
  return [...signers];
}

function findSigner(signature: XmlElement, certificates: readonly string[]): string | undefined {
  const info = childOf(signature, namespace, 'SignedInfo');
  const value = childOf(signature, namespace, 'SignatureValue')?.textContent?.replaceAll(/\s/g, '');
  if (info === undefined || !value || allIn(info, '*', '*').length > maxElements) return undefined;
  const method = (name: string) => {
    const found = childOf(info, namespace, name);
    return (found && attributeOf(found, 'Algorithm')) ?? '';
  };
  const library = new SignedXml();
  const Canonicalization = library.CanonicalizationAlgorithms[method('CanonicalizationMethod')];
  const Signature = library.SignatureAlgorithms[method('SignatureMethod')];
  if (Canonicalization === undefined || Signature === undefined) return undefined;
  const text = String(
    new Canonicalization().process(info, { ancestorNamespaces: namespacesAround(info) }),
  );
  const verifier = new Signature();
  return certificates.find((one) => {
    try {
      return verifier.verifySignature(text, one, value) === true;
    } catch {
      return false; // the value is not a signature for a key of this length
    }
  });
}

/** The namespaces that an element has from those around it; the inner one of the same prefix counts. */
function namespacesAround(element: XmlElement): { prefix: string; namespaceURI: string }[] {
  const found = new Map<string, string>();
  for (let at: unknown = element; at !== null && at !== undefined;) {
    const { attributes, parentNode } = at as { attributes?: XmlAttributes; parentNode: unknown };
    for (let index = 0; index < (attributes?.length ?? 0); index += 1) {
      const { nodeName = '', nodeValue = '' } = attributes?.item(index) ?? {};
      const prefix = nodeName === 'xmlns' ? '' : nodeName.slice('xmlns:'.length);
      if (nodeName !== 'xmlns' && !nodeName.startsWith('xmlns:')) continue;
      // Its own it writes by itself.
      if (!found.has(prefix)) found.set(prefix, at === element ? '' : (nodeValue ?? ''));
    }
    at = parentNode;
  }
  return [...found]
    .filter(([, uri]) => uri !== '')
    .map(([prefix, namespaceURI]) => ({ prefix, namespaceURI }));
}
