const severities = { DEBUG: 1, INFO: 1, WARN: 3, ERROR: 4 };
const capitalize = (text) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

export default function map(event) {
  const { actor, client, debugContext, outcome, securityContext, target } = event;
  const place = client.geographicalContext;
  const made = {
    class_uid: 3002,
    category_uid: 3,
    activity_id: /^user\.session\.end/.test(event.eventType) ? 2 : 1,
    time: Date.parse(event.published),
    message: event.displayMessage,
    severity_id: severities[event.severity] ?? 0,
    status: capitalize(outcome.result.toLowerCase()),
    status_id: outcome.result === 'SUCCESS' ? 1 : 2,
    user: {
      uid: actor.id,
      name: actor.alternateId.toLowerCase(),
      full_name: actor.displayName,
      type: actor.type,
    },
    session: { uid: event.authenticationContext.externalSessionId, is_remote: true },
    auth_protocol: event.authenticationContext.authenticationProvider ?? 'Other',
    auth_factors: target
      .filter((one) => one.type === 'AuthenticatorEnrollment')
      .map((one) => ({ factor_type: one.displayName.toUpperCase(), provider: one.alternateId })),
    is_mfa: target.some((one) => one.type === 'AuthenticatorEnrollment'),
    src_endpoint: {
      ip: client.ipAddress,
      location: {
        city: place.city,
        country: place.country,
        region: place.state ?? null,
        coordinates: [place.geolocation.lon, place.geolocation.lat],
      },
      autonomous_system: { number: securityContext.asNumber, name: securityContext.asOrg },
    },
    http_request: {
      user_agent: client.userAgent.rawUserAgent,
      url: { path: debugContext.debugData.requestUri.replace(/\?.*$/, '') },
      uid: debugContext.debugData.requestId,
    },
    device: {
      os: { name: client.userAgent.os },
      type: client.device,
      name: `${client.userAgent.browser} on ${client.userAgent.os}`,
    },
    actor: {
      app_name: target.filter((one) => one.type === 'AppInstance')[0]?.displayName ?? 'none',
    },
    enrichments: debugContext.debugData.behaviors.split(',').map((one) => ({
      name: one.trim().replace(/=.*$/, ''),
      value: /=POSITIVE/.test(one),
    })),
    metadata: {
      version: '1.4.0',
      uid: event.uuid,
      event_code: event.eventType,
      original_time: event.published,
      product: { name: 'Directory', vendor_name: 'Example' },
    },
    observables: [
      { name: 'user.name', type_id: 4, value: actor.alternateId },
      ...event.request.ipChain.map(({ ip }) => ({
        name: 'src_endpoint.ip',
        type_id: 2,
        value: ip,
      })),
    ],
    unmapped: { risk: debugContext.debugData.risk, transaction: event.transaction.id },
  };
  if (outcome.reason != null) made.status_detail = outcome.reason;
  return made;
}
