const activities = { CONNECT: 1, DELETE: 2, GET: 3, HEAD: 4, OPTIONS: 5, POST: 6, PUT: 7 };
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const logTime = /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/;
const handled = new Set(['user_agent', 'referer', 'x_forwarded_for']);

function millisecondsOf(text) {
  const [, day, month, year, hour, minute, second, sign, zoneHours, zoneMinutes] =
    logTime.exec(text);
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  return Date.UTC(year, months.indexOf(month), day, hour, minute - offset, second);
}

export default function map(entry) {
  const { headers, rule, status } = entry;
  const host = entry.host.toLowerCase();
  const scheme = entry.tls ? 'https' : 'http';
  const forwarded = headers.x_forwarded_for.split(',');
  const port = Number(entry.client_port);
  const unmapped = {};
  for (const name of Object.keys(headers)) if (!handled.has(name)) unmapped[name] = headers[name];
  const made = {
    class_uid: 4002,
    category_uid: 4,
    activity_id: activities[entry.method] ?? 99,
    time: millisecondsOf(entry.timestamp),
    start_time: Date.parse(entry.received),
    duration: entry.duration_ms,
    message: `${entry.method} ${entry.path} ${status}`,
    severity_id: status >= 500 ? 4 : status >= 400 ? 3 : 1,
    status_code: String(status),
    disposition: entry.action === 'blocked' ? 'Blocked' : 'Allowed',
    http_request: {
      http_method: entry.method,
      version: entry.protocol.replace(/^HTTP\//, ''),
      user_agent: headers.user_agent,
      referrer: headers.referer ?? null,
      x_forwarded_for: forwarded.map((ip) => ip.trim()),
      url: {
        hostname: host,
        path: entry.path,
        query_string: entry.query,
        scheme,
        url_string: `${scheme}://${host}${entry.path}?${entry.query}`,
        is_suspicious: /(\.\.\/|\/etc\/|%2e%2e)/.test(entry.path),
      },
    },
    http_response: {
      code: status,
      length: entry.bytes_out,
      content_type: entry.content_type?.replace(/;.*$/, '') ?? null,
    },
    src_endpoint: {
      ip: entry.client_ip,
      port: Number.isNaN(port) ? 0 : port,
      is_private: /^(10\.|192\.168\.|127\.)/.test(entry.client_ip),
    },
    dst_endpoint: { ip: entry.server_ip, port: entry.server_port, hostname: host },
    traffic: {
      bytes_in: entry.bytes_in,
      bytes_out: entry.bytes_out,
      bytes: entry.bytes_in + entry.bytes_out,
    },
    firewall_rule: {
      uid: rule.id,
      name: rule.name,
      category: rule.tags[0]?.toLowerCase() ?? null,
    },
    observables: [entry.client_ip, entry.server_ip, ...forwarded].map((ip) => ({
      name: 'ip',
      type_id: 2,
      value: ip.trim(),
    })),
    metadata: {
      version: '1.4.0',
      uid: entry.id,
      product: { name: 'Edge', vendor_name: 'Example' },
      labels: rule.tags.map((tag) => tag.toLowerCase()),
      log_name: 'access',
    },
    app_name: host.replace(/\..*$/, ''),
    unmapped,
  };
  if (entry.tls)
    made.tls = {
      version: entry.tls_version.replaceAll('TLSv', ''),
      cipher: entry.tls_cipher,
      sni: entry.host,
    };
  return made;
}
