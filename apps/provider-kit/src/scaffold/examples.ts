import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Operation, operations } from '#contract';
import { domainOperations } from '../folders.js';

/** A kind of record of the made-up company, as a vendor has it and as ours. */
export interface ExampleRecord {
  /** Last part of the address, and collection of the fake. */
  things: string;
  /** Expression for the objects of the company that the fake begins with; it is empty when absent. */
  from?: string;
  /** Template of a record of the fake from such an object. */
  row?: string;
  /** Template of our record; the vendor's is returned when absent. */
  mapping?: string;
  /** Table of the values that people act on, if the record has some. */
  values?: string;
  /** More keys of the operation. */
  extra?: string;
  /** True for lists of what is below a folder. */
  folder?: boolean;
  /** The operation, where it is not a list. */
  operation?: string;
  /** Routes of the fake for it. */
  routes?: string;
  /** Keys of its step in mocks.yaml. */
  step?: string;
}

/** How a vendor authenticates requests, as the document sends a credential and the fake accepts it. */
export interface ExampleAuth {
  /** Describes the credential, in words of the README. */
  about: string;
  /** The kind of the credential in the document. */
  sends: string;
  accepts: string;
  /** Errors of the fake that only this kind needs. */
  errors?: string;
}

/** Content of a new folder, before it is written as files. */
export interface Example {
  name: string;
  title: string;
  /** Id of the provider. */
  id: string;
  operation: Operation;
  /** The operations of the domain that are not written yet. */
  others: readonly Operation[];
  recordName: string;
  record: ExampleRecord;
  auth: ExampleAuth;
}

interface Examples {
  domains: Record<string, { operation: string; record: string }>;
  auth: Record<string, ExampleAuth>;
  records: Record<string, ExampleRecord>;
}

const examples = parse(readFileSync(new URL('examples.yaml', import.meta.url), 'utf8')) as Examples;

/** Domains that a folder can be scaffolded for. */
export function domains(): string[] {
  return Object.keys(examples.domains);
}

/** Kinds of credentials that a folder can be scaffolded for, the usual first. */
export function authKinds(): string[] {
  return Object.keys(examples.auth);
}

/** Finds what a folder of a domain begins with. @returns undefined for an unknown domain or kind of credential */
export function exampleOf(name: string, domain: string, authKind: string): Example | undefined {
  if (!Object.hasOwn(examples.domains, domain) || !Object.hasOwn(examples.auth, authKind))
    return undefined;
  const auth = examples.auth[authKind] as ExampleAuth;
  const { operation: id, record: recordName } = examples.domains[domain] ?? {};
  const operation = operations.get(id as Operation['id']);
  const record = examples.records[recordName ?? ''];
  if (operation === undefined || record === undefined || recordName === undefined)
    throw new Error(`examples.yaml: ${domain} names an operation or a record that does not exist`);
  return {
    name,
    title: titleOf(name),
    id: `${domain}_${name.replaceAll('-', '_')}`,
    operation,
    others: domainOperations(`${domain}_`).filter((one) => one !== operation),
    recordName,
    record,
    auth,
  };
}

function titleOf(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_all, dash: string, letter: string) =>
    `${dash && ' '}${letter}`.toUpperCase(),
  );
}
