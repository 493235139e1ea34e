import { type Answer, type Exchange, hexSignature, messageId, sendWebhook } from '#test/simulators';
import { notFound, refuse } from './refusals.js';
import { Render } from './render.js';
import { type Hook, now, type Repository, type User, type World } from './world.js';

type Json = Record<string, unknown>;

/** Creates a webhook; GitHub sends it a ping. */
export function createHook(world: World, repository: Repository, call: Exchange<User>): Answer {
  const { config, events = ['push'], active = true } = call.body as Partial<Hook>;
  if (!config?.url) throw refuse(422, 'Validation Failed');
  if (repository.hooks.some((one) => one.config.url === config.url))
    throw refuse(422, 'Hook already exists on this repository');
  const hook = { id: world.nextId(), active, events, config, created: now() };
  repository.hooks.push(hook);
  const body = renderHook(call.origin, repository, hook);
  send(hook, 'ping', { zen: 'Keep it logically awesome.', hook_id: hook.id, hook: body });
  return { status: 201, headers: { location: String(body['url']) }, body };
}

export function findHook(repository: Repository, id: string | undefined): Hook {
  const hook = repository.hooks.find((one) => one.id === Number(id));
  if (hook === undefined) throw notFound();
  return hook;
}

export function renderHook(origin: string, repository: Repository, hook: Hook): Json {
  const url = `${origin}/repos/${repository.owner}/${repository.name}/hooks/${hook.id}`;
  const { config, id, active, events, created } = hook;
  return {
    ...{ type: 'Repository', id, name: 'web', active, events },
    // The secret is never shown again.
    config: { ...config, ...(config.secret === undefined ? {} : { secret: '********' }) },
    created_at: Render.time(created),
    updated_at: Render.time(created),
    ...{
      url,
      test_url: `${url}/test`,
      ping_url: `${url}/pings`,
      deliveries_url: `${url}/deliveries`,
    },
    last_response: { code: null, status: 'unused', message: null },
  };
}

/** Sends an event to the webhooks of a repository that want it. */
export function notifyHooks(repository: Repository, event: string, body: Json): void {
  for (const hook of repository.hooks)
    if (hook.active && hook.events.includes(event)) send(hook, event, body);
}

function send(hook: Hook, event: string, body: Json): void {
  const { url, secret } = hook.config;
  sendWebhook({
    ...{ url, body },
    headers: {
      'user-agent': 'GitHub-Hookshot/simulator',
      'x-github-event': event,
      'x-github-delivery': messageId(),
      'x-github-hook-id': String(hook.id),
    },
    ...(secret && {
      sign: (bytes) => ({ 'x-hub-signature-256': `sha256=${hexSignature(secret, bytes)}` }),
    }),
  });
}
