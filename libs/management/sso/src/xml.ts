import { createRequire } from 'node:module';

/** The few things of the DOM that are used here: the parser's own types would give every file those of a browser. */
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
 * The parser that the SAML library verifies signatures with, so both read the same elements. It is loaded at the first document,
 * because few installations use SAML.
 */
const parserPackage = '@xmldom/xmldom';
const require = createRequire(import.meta.url);

/** Reading takes time with the square of these, when somebody nests one in the other; real documents have some hundreds. */
const mostTags = 4_000;
const mostNamespaces = 1_000;

/** The root of a document without a document type. @param refuse throws, with what is wrong. */
export function parseXml(xml: string, refuse: (why: string) => never): XmlElement {
  const fail = () => refuse('it is not well-formed XML');
  if (count(xml, '<') > mostTags || count(xml, 'xmlns') > mostNamespaces)
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

/** Everything of a name below an element, however deep. */
export function allIn(parent: XmlElement, namespace: string, name: string): XmlElement[] {
  const found = parent.getElementsByTagNameNS(namespace, name);
  return Array.from({ length: found.length }, (_, index) => found.item(index)).filter(
    (one) => one !== null,
  );
}

export function attributeOf(element: XmlElement, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null;
}
