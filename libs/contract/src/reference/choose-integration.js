// Lets the holder of an Organization token choose the integration that requests of the connector API are sent to.
const pageSize = 100;
/** More integrations are not offered: their tokens come from the management API. */
const maxPages = 10;
const chosenKey = 'onefold.integration';

/** The integration that was chosen in this tab: `{id, name}`, or undefined. */
export function chosenIntegration() {
  return JSON.parse(sessionStorage.getItem(chosenKey)) ?? undefined;
}

export function forgetIntegration() {
  sessionStorage.removeItem(chosenKey);
}

/**
 * Shows the integrations that the token sees, and nothing without a token.
 * @param options.token an Organization token, or null
 * @param options.server address of the API
 * @param options.onToken takes an Integration token of an hour, and the domain of its integration
 * @param options.onRefusal takes the message of a refusal
 */
export async function offerIntegrations({ token, server, onToken, onRefusal }) {
  const place = document.getElementById('integration-choice');
  const choice = document.getElementById('integration');
  place.hidden = true;
  if (token === null) return;
  const call = (path, body) => callManagement(new URL(path, server), token, body);
  try {
    const integrations = await listIntegrations(call);
    choice.replaceChildren(new Option('choose one', ''), ...groupsOf(integrations));
    choice.value = chosenIntegration()?.id ?? '';
    choice.onchange = () => {
      const chosen = integrations.find(({ id }) => id === choice.value);
      if (chosen !== undefined)
        makeToken(call, chosen).then(
          (secret) => onToken(secret, chosen.category),
          ({ message }) => onRefusal(message),
        );
    };
    place.hidden = false;
  } catch ({ message }) {
    onRefusal(message);
  }
}

async function makeToken(call, { id, account_id: accountId, name }) {
  const { result } = await call(`v1/tokens/${accountId}/${id}`, { token_ttl: '1h' });
  sessionStorage.setItem(chosenKey, JSON.stringify({ id, name }));
  return result.secret;
}

async function listIntegrations(call) {
  const all = [];
  for (let page = 0; page < maxPages; page += 1) {
    const last = all.at(-1);
    const after = last === undefined ? '' : `&start_after=${encodeURIComponent(last.id)}`;
    const { result } = await call(`v1/integrations?limit=${pageSize}${after}`);
    all.push(...result);
    if (result.length < pageSize) break;
  }
  return all;
}

/** Returns the options, grouped by domain. */
function groupsOf(integrations) {
  const domains = Map.groupBy(integrations, ({ category }) => category);
  return [...domains.keys()].sort().map((domain) => {
    const group = document.createElement('optgroup');
    group.label = domain;
    for (const { id, name, provider_fullname: provider } of domains.get(domain))
      group.append(new Option(`${name} (${provider})`, id));
    return group;
  });
}

/** @throws Error with the message of a refusal */
async function callManagement(url, token, body) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}
