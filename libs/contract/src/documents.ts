import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

type Side = 'management' | 'connector';

const texts = new Map<Side, string>();

/** Returns the OpenAPI document of one side as JSON text, with the URL of this service as its server. */
export function servedDocument(side: Side, serverUrl: string): string {
  let text = texts.get(side);
  if (text === undefined) {
    text = readFileSync(new URL(`./generated/${side}.openapi.json`, import.meta.url), 'utf8');
    texts.set(side, text);
  }
  return text.replace(
    '"servers":[{"url":"/"}]',
    () => `"servers":[{"url":${JSON.stringify(serverUrl)}}]`,
  );
}

/** Returns a file of the API reference page with its content type; undefined for an unknown file. */
export function referencePage(
  file: string,
): { type: string; content: Buffer | string } | undefined {
  if (file === '' || file === 'index.html')
    return { type: 'text/html; charset=utf-8', content: page };
  if (file === 'reference.js') return { type: 'text/javascript; charset=utf-8', content: script };
  const type = {
    'swagger-ui.css': 'text/css',
    'swagger-ui-bundle.js': 'text/javascript',
    'swagger-ui-standalone-preset.js': 'text/javascript',
  }[file];
  if (type === undefined) return undefined;
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return { type, content: readFileSync(join(folder, file)) };
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Onefold API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger-ui.css">
</head>
<body>
<div id="reference">This page needs JavaScript; the OpenAPI documents are at /v1/meta/openapi/management and /v1/meta/openapi/engine.</div>
<script src="swagger-ui-bundle.js"></script>
<script src="swagger-ui-standalone-preset.js"></script>
<script src="reference.js"></script>
</body>
</html>
`;

// A separate file, because the page's content security policy forbids inline scripts. The documents need a token, like every request.
const script = `let token = sessionStorage.getItem('token');
if (!token) {
  token = prompt('Organization token (starts with ofo_); it stays in this tab.') || '';
  sessionStorage.setItem('token', token);
}
const bearer = (request) => {
  if (token && !request.headers.Authorization) request.headers.Authorization = 'Bearer ' + token;
  return request;
};
SwaggerUIBundle({
  dom_id: '#reference',
  urls: [
    { name: 'Management', url: '../v1/meta/openapi/management' },
    { name: 'Connector', url: '../v1/meta/openapi/engine' },
  ],
  requestInterceptor: bearer,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;
