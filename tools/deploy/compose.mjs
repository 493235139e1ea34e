// The generated parts of docker-compose.yml: a password for each user of NATS, and a connector for each domain.
import { servedDomains } from '#contract';
import { passwordOf, roles } from './nats.mjs';

const password = (role) => `\${${passwordOf(role)}:-${role}-password}`;

/** Returns docker-compose.yml with its generated parts as they have to be. @throws Error if it has no place for them */
export function composeWithConnectors(text) {
  const passwords = roles.map((role) => `      ${passwordOf(role)}: ${password(role)}\n`);
  const connectors = servedDomains.map(
    (domain) => `  connector-${domain}:
    <<: *service
    profiles: [per-domain]
    command: [dist/apps/connector/src/main.js]
    environment:
      <<: *store
      DOMAINS: ${domain}
      NATS_USER: connector-${domain}
      NATS_PASSWORD: ${password(`connector-${domain}`)}
`,
  );
  return replacePart(
    replacePart(text, 'passwords', passwords.join('')),
    'connectors',
    connectors.join('\n'),
  );
}

function replacePart(text, name, content) {
  const place = new RegExp(`( *# generated: ${name}\\n)[^]*?( *# end\\n)`);
  if (!place.test(text)) throw new Error(`docker-compose.yml has no "# generated: ${name}"`);
  return text.replace(place, (_all, begin, end) => `${begin}${content}${end}`);
}
