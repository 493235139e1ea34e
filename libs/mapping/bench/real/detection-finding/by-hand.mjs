export default function map(alert) {
  const { device, max_severity: severity } = alert;
  const behaviors = alert.behaviors ?? [];
  const made = {
    class_uid: 2004,
    category_uid: 2,
    activity_id: alert.status === 'new' ? 1 : alert.status === 'closed' ? 3 : 2,
    time: Date.parse(alert.created_timestamp),
    severity_id: severity >= 80 ? 5 : severity >= 60 ? 4 : severity >= 40 ? 3 : 2,
    confidence_score: alert.max_confidence,
    message: `${alert.detection_id}: ${behaviors.length} behaviors on ${device.hostname}`,
    metadata: {
      uid: alert.detection_id,
      version: '1.4.0',
      product: { name: 'Endpoint', vendor_name: 'Example' },
      correlation_uid: alert.detection_id.split(':')[1],
    },
    finding_info: {
      uid: alert.detection_id,
      title: behaviors[0].display_name.replace(/([a-z])([A-Z])/g, '$1 $2'),
      created_time: Date.parse(alert.created_timestamp),
      modified_time: Date.parse(alert.date_updated),
      attacks: behaviors.map((one) => ({
        tactic: { uid: one.tactic_id, name: one.tactic },
        technique: { uid: one.technique_id, name: one.technique },
        version: '16.0',
      })),
    },
    device: {
      uid: device.device_id,
      hostname: device.hostname.toLowerCase(),
      ip: device.local_ip,
      mac: device.mac_address.replaceAll('-', ':'),
      agent_list: [{ name: 'sensor', version: device.agent_version }],
      os: { name: device.os_version, type: device.platform_name },
      groups: device.groups.map((uid) => ({ uid })),
    },
    evidences: behaviors.map((one) => ({
      actor: {
        process: {
          cmd_line: one.cmdline,
          file: {
            name: one.filename,
            path: one.filepath,
            hashes: [{ algorithm_id: 3, value: one.sha256.toLowerCase() }],
          },
          created_time: Date.parse(one.timestamp),
          uid: one.control_graph_id ?? '',
        },
        user: { name: one.user_name, uid: one.user_id },
      },
      data: { pattern: one.pattern_disposition, ioc: one.ioc_value ?? null },
    })),
    observables: [
      ...behaviors.map((one) => ({ name: 'file.name', type_id: 7, value: one.filename })),
      { name: 'device.hostname', type_id: 1, value: device.hostname },
      { name: 'device.ip', type_id: 2, value: device.local_ip },
    ],
    is_alert: true,
    unmapped: { seconds_to_triaged: alert.seconds_to_triaged, email_sent: alert.email_sent },
  };
  if (alert.assigned_to_name !== null)
    made.assignee = { name: alert.assigned_to_name, uid: alert.assigned_to_uid };
  if (alert.comment != null) made.comment = alert.comment.trim();
  return made;
}
