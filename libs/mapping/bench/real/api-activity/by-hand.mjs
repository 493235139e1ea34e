const address = /^\d{1,3}(\.\d{1,3}){3}$/;

function activityOf(verb) {
  if (/^(create|run|put)/.test(verb)) return 1;
  if (/^(get|list|describe|head)/.test(verb)) return 2;
  if (/^(update|modify|set|attach)/.test(verb)) return 3;
  return /^(delete|terminate|detach)/.test(verb) ? 4 : 99;
}

export default function map(event) {
  const { userIdentity: identity, requestParameters } = event;
  const { sessionContext } = identity;
  const created = sessionContext?.attributes?.creationDate;
  const unmapped = {};
  for (const key of Object.keys(requestParameters))
    if (key !== 'tags') unmapped[key] = requestParameters[key];
  return {
    class_uid: 6003,
    category_uid: 6,
    activity_id: activityOf(event.eventName.toLowerCase()),
    time: Date.parse(event.eventTime),
    api: {
      operation: event.eventName,
      version: event.eventVersion,
      service: { name: event.eventSource.replace(/\.example\.com$/, '') },
      request: { uid: event.requestID },
      response: { error: event.errorCode ?? null, message: event.errorMessage ?? null },
    },
    status_id: event.errorCode == null ? 1 : 2,
    status: event.errorCode == null ? 'Success' : 'Failure',
    message: `${identity.userName ?? 'unknown'} called ${event.eventName} of ${event.eventSource} in ${event.awsRegion}`,
    cloud: {
      provider: 'Cloud',
      region: event.awsRegion,
      account: { uid: event.recipientAccountId },
    },
    actor: {
      user: {
        uid: identity.principalId,
        name: identity.userName ?? sessionContext?.sessionIssuer?.userName ?? 'unknown',
        type: identity.type.replace(/([a-z])([A-Z])/g, '$1 $2'),
        account: { uid: identity.accountId },
        credential_uid: identity.accessKeyId ?? null,
      },
      session: {
        created_time: created == null ? null : Date.parse(created),
        is_mfa: sessionContext?.attributes?.mfaAuthenticated === 'true',
        issuer: sessionContext?.sessionIssuer?.arn ?? null,
      },
      invoked_by: event.userAgent.split('/')[0],
    },
    src_endpoint: {
      ip: address.test(event.sourceIPAddress) ? event.sourceIPAddress : null,
      domain: address.test(event.sourceIPAddress) ? null : event.sourceIPAddress,
    },
    http_request: { user_agent: event.userAgent },
    resources: [
      ...event.resources.map((one) => ({
        uid: one.ARN,
        type: one.type.split('::').at(-1).toLowerCase(),
        account: one.accountId,
        name: one.ARN.replace(/^.*\//, ''),
        label: `${one.type} in ${one.accountId}`,
      })),
      ...(requestParameters.tags ?? []).map((tag) => ({
        uid: tag.key,
        type: 'tag',
        name: tag.value,
      })),
    ],
    is_read_only: event.readOnly,
    metadata: {
      version: '1.4.0',
      uid: event.eventID,
      event_code: event.eventName,
      product: { name: 'Trail', vendor_name: 'Example' },
      original_time: event.eventTime,
      log_name: event.eventCategory,
    },
    unmapped,
    unmapped_response: event.responseElements ?? null,
  };
}
