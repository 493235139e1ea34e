import { createRequire } from 'node:module';

/** The parts of the DOM that are used here: the parser's own types would add those of a browser to every file. */
export interface XmlElement {
  readonly localName: string | null;
  readonly namespaceURI: string | null;
  readonly parentNode: unknown;
  readonly textContent: string | null;
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(
    namespace: string,
    name: string,
  ): { length: number; item(index: number): XmlElement | null };
}

interface XmlDocument {
  documentElement: XmlElement | null;
  doctype?: unknown;
}

interface Parser {
  parseFromString(xml: string, type: string): XmlDocument;
}

interface ParserPackage {
  DOMParser: new (options: {
    errorHandler: Record<'warning' | 'error' | 'fatalError', (message: string) => never>;
  }) => Parser;
}

/**
 * The parser with which the SAML library verifies signatures, so that both read the same elements. It is loaded with
 * the first document, because few installations use SAML.
 */
const parserPackage = '@xmldom/xmldom';
const require = createRequire(import.meta.url);

/** Parsing takes time quadratic in these numbers for nested elements; real documents have some hundreds. */
const maxTags = 4_000;
const maxNamespaces = 1_000;

/**
 * Parses a document without a document type, and returns its root.
 * @param refuse throws an error with the given reason
 */
export function parseXml(xml: string, refuse: (why: string) => never): XmlElement {
  const fail = () => refuse('it is not well-formed XML');
  if (count(xml, '<') > maxTags || count(xml, 'xmlns') > maxNamespaces)
    return refuse('it has too many elements');
  const handler = { warning: fail, error: fail, fatalError: fail };
  const { DOMParser } = require(parserPackage) as ParserPackage;
  const document = new DOMParser({ errorHandler: handler }).parseFromString(xml, 'text/xml');
  if (document.doctype !== null && document.doctype !== undefined)
    return refuse('it has a document type');
  return document.documentElement ?? fail();
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

export function childOf(
  parent: XmlElement,
  namespace: string,
  name: string,
): XmlElement | undefined {
  return allIn(parent, namespace, name).find((one) => one.parentNode === parent);
}

/** Lists all elements of a name below an element, at any depth. */
export function allIn(parent: XmlElement, namespace: string, name: string): XmlElement[] {
  const found = parent.getElementsByTagNameNS(namespace, name);
  return Array.from({ length: found.length }, (_, index) => found.item(index)).filter(
    (one) => one !== null,
  );
}

export function attributeOf(element: XmlElement, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null;
}
