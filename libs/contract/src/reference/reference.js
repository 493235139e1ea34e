// The script of the reference page. It is a file of its own because the page's content security policy forbids inline scripts.
import { chosenIntegration, forgetIntegration, offerIntegrations } from './choose-integration.js';

const apis = {
  management: {
    document: 'management.json',
    firstGroup: 'accounts',
    prefix: 'ofo_',
    token: 'Organization token',
  },
  connector: {
    document: 'connector.json',
    firstGroup: 'ticketing',
    prefix: 'ofi_',
    token: 'Integration token',
  },
};
const shown =
  new URLSearchParams(location.search).get('api') === 'connector' ? 'connector' : 'management';
const { prefix, token: kind } = apis[shown];

const wholeDocument = fetch(apis[shown].document).then((response) => response.json());

const field = document.getElementById('token');
const state = document.getElementById('token-state');
const forget = document.getElementById('forget');

// Tokens are kept for this tab only: sessionStorage ends with it, and no other tab can read it.
const storageKey = (api) => `onefold.token.${api}`;
const storedToken = () => sessionStorage.getItem(storageKey(shown)) ?? '';

function showState(text, name) {
  state.textContent = text;
  state.dataset.state = name;
}

function showStoredToken() {
  const token = storedToken();
  const integration = shown === 'connector' ? chosenIntegration() : undefined;
  forget.hidden = token === '';
  field.placeholder = `${kind} (${prefix}…)`;
  if (token === '')
    showState(
      `Reading needs no token. “Execute” needs an ${kind}; the first start prints one. With an Organization token you can choose an integration.`,
      'none',
    );
  else
    showState(
      integration === undefined
        ? `Requests are sent with the ${kind} ${token.slice(0, 8)}… until this tab is closed.`
        : `Requests are sent to ${integration.name}, with an ${kind} of an hour.`,
      'used',
    );
  void offerChoice();
}

/** Offers the integrations of the Organization token of this tab, on both pages. */
async function offerChoice() {
  const token = sessionStorage.getItem(storageKey('management'));
  const { servers } = await wholeDocument;
  await offerIntegrations({
    token,
    server: new URL(`${servers[0].url.replace(/\/$/, '')}/`, location.href),
    onToken: (secret, domain) => {
      sessionStorage.setItem(storageKey('connector'), secret);
      location.assign(`?api=connector#/${domain}`);
      if (shown === 'connector') location.reload(); // the address may differ in the fragment alone
    },
    onRefusal: (message) =>
      showState(`The integrations of the Organization token cannot be used: ${message}`, 'refused'),
  });
}

function useToken(token) {
  const api = Object.keys(apis).find((name) => token.startsWith(apis[name].prefix));
  if (api === undefined) {
    showState(
      'This is not a token of either API: an Organization token starts with ofo_, an Integration token with ofi_.',
      'refused',
    );
    return;
  }
  sessionStorage.setItem(storageKey(api), token);
  forgetIntegration();
  field.value = '';
  if (api === shown) showStoredToken();
  else location.assign(`?api=${api}`); // the token is for the other API, so show that one
}

document.querySelector(`nav a[data-api=${shown}]`).setAttribute('aria-current', 'page');
document.getElementById('document').href = apis[shown].document;
document.getElementById('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  useToken(field.value.trim());
});
forget.addEventListener('click', () => {
  sessionStorage.removeItem(storageKey(shown));
  forgetIntegration();
  showStoredToken();
});
showStoredToken();

const nothing = () => () => null;

/** Returns a document with the operations of one group and the schemas that they need: the viewer takes ten times as long for all. */
function groupOf(whole, group) {
  const paths = {};
  for (const [path, item] of Object.entries(whole.paths))
    for (const [method, operation] of Object.entries(item))
      if (operation.tags.includes(group)) (paths[path] ??= {})[method] = operation;
  const { schemas: all, ...components } = whole.components;
  const schemas = {};
  const collect = (node) => {
    if (typeof node !== 'object' || node === null) return;
    const name = /^#\/components\/schemas\/(.+)$/.exec(node.$ref)?.[1];
    if (name !== undefined && !(name in schemas)) {
      schemas[name] = all[name];
      collect(all[name]);
    }
    Object.values(node).forEach(collect);
  };
  collect([paths, components]);
  return { ...whole, tags: [{ name: group }], paths, components: { ...components, schemas } };
}

/** Shows the group that the fragment names, as in `#/ticketing/ticketing_query_tickets`. */
async function showGroup(whole) {
  const { document: file, firstGroup } = apis[shown];
  const groups = whole.tags.map(({ name }) => name);
  const named = decodeURIComponent(location.hash.split('/')[1] ?? '');
  const group = groups.includes(named) ? named : firstGroup;
  const choice = document.getElementById('group');
  choice.replaceChildren(...groups.map((name) => new Option(name, name, false, name === group)));
  choice.addEventListener('change', () => {
    location.hash = `#/${choice.value}`;
    location.reload();
  });
  window.SwaggerUIBundle({
    dom_id: '#reference',
    spec: groupOf(whole, group),
    url: new URL(file, location.href).href, // the address of the server is relative to it
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    tryItOutEnabled: true,
    validatorUrl: null,
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    // The page has one field for tokens, its own, and each document names one server.
    plugins: [
      () => ({
        wrapComponents: {
          authorizeBtn: nothing,
          authorizeOperationBtn: nothing,
          ServersContainer: nothing,
        },
      }),
    ],
    requestInterceptor: (request) => {
      const token = storedToken();
      if (token !== '') request.headers.Authorization = `Bearer ${token}`;
      return request;
    },
  });
}
void wholeDocument.then(showGroup);
