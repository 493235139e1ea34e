const mapped = new Set([
  'id',
  'displayName',
  'description',
  'groupTypes',
  'members',
  'owners',
  'mail',
  'createdDateTime',
  'renewedDateTime',
  'expirationDateTime',
  'visibility',
  'proxyAddresses',
  'assignedLabels',
]);

export default function map(group) {
  const { members, owners } = group;
  const unmapped = {};
  for (const key of Object.keys(group)) if (!mapped.has(key)) unmapped[key] = group[key];
  const made = {
    uid: group.id,
    name: group.displayName,
    desc: group.description ?? null,
    type: group.groupTypes.includes('Unified')
      ? 'Microsoft 365'
      : group.securityEnabled
        ? 'Security'
        : 'Distribution',
    slug: group.displayName.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    is_privileged: /^(admin|root|domain)/.test(group.displayName),
    created_time: Date.parse(group.createdDateTime),
    modified_time: Date.parse(group.renewedDateTime),
    expires: group.expirationDateTime == null ? null : Date.parse(group.expirationDateTime),
    owners: owners.map((one) => ({
      uid: one.id,
      name: one.displayName,
      email_addr: one.userPrincipalName.toLowerCase(),
    })),
    members: members.map((one) => ({
      uid: one.id,
      name: one.displayName,
      kind: one.type.startsWith('#directory.') ? one.type.slice(11) : one.type,
      email_addr: one.userPrincipalName?.toLowerCase() ?? null,
      label: `${one.displayName} <${one.id}>`,
    })),
    member_count: members.length,
    emails: [
      ...members.map((one) => one.userPrincipalName).filter((one) => one != null),
      ...owners.map((one) => one.userPrincipalName),
    ].map((one) => one.toLowerCase()),
    proxy_addresses: group.proxyAddresses.map((one) => one.replace(/^(smtp|SMTP):/, '')),
    visibility: group.visibility.toUpperCase(),
    labels: group.assignedLabels.map((one) => one.displayName),
    metadata: {
      version: '1.4.0',
      product: { name: 'Directory', vendor_name: 'Example' },
      uid: group.id,
    },
    unmapped,
  };
  if (group.mail != null) made.email_addr = group.mail.toLowerCase();
  return made;
}
