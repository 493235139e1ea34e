import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '#contract';
import { type Service, startService } from './service.js';

let open: Service;
let configured: Service;
let closed: Service;
beforeAll(async () => {
  [open, configured, closed] = await Promise.all([
    startService(),
    startService(2, undefined, 0, { publicUrl: 'https://api.example.com/onefold/' }),
    startService(2, undefined, 0, { referencePage: false }),
  ]);
});
afterAll(() => Promise.all([open, configured, closed].map((service) => service?.stop())));

const get = (service: Service, path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers, redirect: 'manual' });
const operationCount = (side: string) =>
  [...operations.values()].filter((operation) => operation.side === side).length;

interface Document {
  servers: { url: string }[];
  paths: Record<string, object>;
}
const documentOf = async (response: Response) => (await response.json()) as Document;

describe('"/reference opens without a token"', () => {
  it('serves the page and everything that it loads', async () => {
    const page = await get(open, '/reference/');
    const text = await page.text();
    expect(page.status).toBe(200);
    const loaded = [...text.matchAll(/(?:src|href)="([^"?#]+\.(?:js|css|json))"/g)].map(
      ([, file]) => file,
    );
    expect(loaded).toEqual([
      'swagger-ui.css',
      'reference.css',
      'choose-integration.js',
      'management.json',
      'management.json',
      'connector.json',
      'swagger-ui-bundle.js',
      'reference.js',
    ]);
    for (const file of loaded) expect((await get(open, `/reference/${file}`)).status).toBe(200);
  });

  it('keeps its queries when it adds the slash', async () => {
    const response = await get(open, '/reference?api=connector');
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      '/reference/?api=connector',
    ]);
    expect((await get(open, '/')).headers.get('location')).toBe('/reference/');
  });

  it('serves "copies of both documents under /reference/"', async () => {
    for (const side of ['management', 'connector']) {
      const { paths } = await documentOf(await get(open, `/reference/${side}.json`));
      expect(Object.values(paths).flatMap((item) => Object.keys(item))).toHaveLength(
        operationCount(side),
      );
    }
  });

  it('serves no other file', async () => {
    for (const name of ['..%2fpackage.json', 'reference-file.js', '%2e%2e%2fdocuments.js'])
      expect((await get(open, `/reference/${name}`)).status).toBe(404);
  });

  it('lets nothing be loaded from outside', async () => {
    const { headers } = await get(open, '/reference/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('"a setting may close it; /v1/meta/* keeps its token"', () => {
  it.each(['/', '/reference', '/reference/', '/reference/management.json'])(
    '%s is a 404 when it is closed',
    async (path) => {
      const response = await get(closed, path);
      const { remediation } = (await response.json()) as { remediation: string };
      expect(response.status).toBe(404);
      expect(remediation).toContain('/v1/meta/openapi/management');
    },
  );

  it.each(['management', 'engine'])('/v1/meta/openapi/%s needs its token', async (name) => {
    const path = `/v1/meta/openapi/${name}`;
    expect((await get(closed, path)).status).toBe(401);
    const authorization = `Bearer ${closed.administrator.access}`;
    expect((await get(closed, path, { authorization })).status).toBe(200);
  });
});

describe('"served OpenAPI uses PUBLIC_URL" and not the Host header', () => {
  const servers = async (service: Service, path: string) => {
    const authorization = `Bearer ${service.administrator.access}`;
    return (await documentOf(await get(service, path, { authorization }))).servers;
  };

  it.each([
    '/v1/meta/openapi/management',
    '/v1/meta/openapi/engine',
    '/reference/management.json',
    '/reference/connector.json',
  ])('in %s', async (path) => {
    expect(await servers(configured, path)).toEqual([{ url: 'https://api.example.com/onefold' }]);
  });

  it('lets the page send requests there', async () => {
    const { headers } = await get(configured, '/reference/');
    expect(headers.get('content-security-policy')).toContain(
      "connect-src 'self' https://api.example.com;",
    );
  });

  it('without it the copies are relative to themselves', async () => {
    expect(await servers(open, '/reference/connector.json')).toEqual([{ url: '..' }]);
    expect(await servers(open, '/v1/meta/openapi/engine')).toEqual([{ url: open.url }]);
  });
});
