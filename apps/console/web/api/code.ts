import { curlOf, type SentRequest } from './curl.js';

type Request = Omit<SentRequest, 'isOfIntegration'>;

/** Writes a request as a program, which takes the token from the variable TOKEN of its environment. */
export const languages: Readonly<
  Record<string, { label: string; write: (of: Request) => string }>
> = {
  curl: { label: 'curl', write: curlOf },
  python: { label: 'Python', write: pythonOf },
  typescript: { label: 'TypeScript', write: typescriptOf },
};

/** A JSON text is valid as a string of both languages, whatever is in it. */
const quoted = (text: string) => JSON.stringify(text).replaceAll('\u2028', '\\u2028');

function pythonOf({ method, url, body, isAuthorized }: Request): string {
  const headers = [
    ...(isAuthorized ? ['"Authorization": f"Bearer {os.environ[\'TOKEN\']}"'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  return [
    'import os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${quoted(url)},`,
    `    method=${quoted(method)},`,
    `    headers={${headers.join(', ')}},`,
    ...(body === undefined ? [] : [`    data=${quoted(body)}.encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n');
}

function typescriptOf({ method, url, body, isAuthorized }: Request): string {
  const headers = [
    ...(isAuthorized ? ['authorization: `Bearer ${process.env.TOKEN}`'] : []),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ];
  return [
    `const response = await fetch(${quoted(url)}, {`,
    `  method: ${quoted(method)},`,
    `  headers: { ${headers.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: ${quoted(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}
