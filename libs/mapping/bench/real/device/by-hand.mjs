const types = { laptop: 3, desktop: 2, server: 1, virtual: 6, mobile: 5 };
const capitalize = (text) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
const numberOr0 = (value) => {
  const number = value == null || value === '' ? NaN : Number(value);
  return Number.isNaN(number) ? 0 : number;
};

export default function map(one) {
  const { hardware, host, interfaces, location, management, os } = one;
  const hostname = host.fqdn.toLowerCase();
  return {
    class_uid: 5001,
    category_uid: 5,
    time: Date.parse(one.last_seen),
    device: {
      uid: one.id,
      uid_alt: one.serial_number.toUpperCase(),
      name: host.name,
      hostname,
      domain: hostname.replace(/^[^.]+\./, ''),
      type_id: types[one.chassis] ?? 0,
      type: capitalize(one.chassis),
      ip: interfaces[0].ipv4[0],
      mac: interfaces[0].mac.replaceAll('-', ':').toLowerCase(),
      network_interfaces: interfaces.map((port) => ({
        name: port.name,
        mac: port.mac.replaceAll('-', ':').toLowerCase(),
        ip: port.ipv4[0] ?? null,
        type_id: /^(wl|wifi)/.test(port.name) ? 2 : 1,
        subnet_prefix: numberOr0(port.prefix),
      })),
      os: {
        name: os.name,
        version: os.version,
        build: String(os.build),
        type_id: /^Windows/.test(os.name) ? 100 : /^mac/.test(os.name) ? 300 : 200,
        edition: `${os.name} ${os.version} (${os.arch})`,
      },
      hw_info: {
        bios_manufacturer: hardware.vendor,
        cpu_type: hardware.cpu,
        cpu_count: hardware.sockets,
        ram_size: hardware.memory_mb / 1024,
        serial_number: one.serial_number,
      },
      agent_list: [{ name: 'agent', version: one.agent.version, uid: one.agent.id }],
      owner: { name: one.owner?.name ?? null, email_addr: one.owner?.email?.toLowerCase() ?? null },
      first_seen_time: Date.parse(one.first_seen),
      last_seen_time: Date.parse(one.last_seen),
      boot_time: Date.parse(`${one.boot.replace(' ', 'T')}Z`),
      is_managed: management.enrolled,
      is_compliant: management.findings.length === 0,
      region: location.region,
      location: {
        city: location.city,
        country: location.country.toUpperCase(),
        desc: `${location.city}, ${location.site}`,
      },
      groups: [...one.groups, ...one.tags].map((name) => ({ name: name.trim().toLowerCase() })),
    },
    metadata: {
      version: '1.4.0',
      uid: one.id,
      product: { name: 'Inventory', vendor_name: 'Example' },
    },
    unmapped: management,
  };
}
