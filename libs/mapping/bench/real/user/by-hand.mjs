const types = { Employee: 1, Contractor: 1, Service: 3, Admin: 2 };
const capitalize = (text) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

export default function map(entry) {
  const { profile } = entry;
  return {
    class_uid: 5003,
    category_uid: 5,
    activity_id: 2,
    time: Date.parse(entry.lastUpdated),
    user: {
      uid: entry.id,
      name: profile.login,
      full_name: `${profile.firstName} ${profile.lastName}`,
      display_name: profile.displayName ?? `${profile.firstName} ${profile.lastName}`,
      email_addr: profile.email.toLowerCase(),
      domain: profile.login.split('@')[1],
      type_id: types[profile.userType] ?? 0,
      phone_number: (profile.mobilePhone ?? profile.primaryPhone ?? '').replace(/[^0-9+]/g, ''),
      has_mfa: entry.factors.filter((factor) => factor.status === 'ACTIVE').length > 0,
      risk_level: typeof entry.risk.level === 'string' ? entry.risk.level.toUpperCase() : 'UNKNOWN',
      is_enabled: entry.status === 'ACTIVE' || entry.status === 'PASSWORD_EXPIRED',
      groups: entry.groups.map((group) => ({
        uid: group.id,
        name: group.profile.name,
        desc: group.profile.description ?? null,
      })),
      ldap_person: {
        employee_uid: profile.employeeNumber,
        given_name: profile.firstName,
        surname: profile.lastName,
        job_title: profile.title,
        cost_center: profile.costCenter,
        office_location: `${profile.streetAddress}, ${profile.zipCode} ${profile.city}`,
        location: {
          city: profile.city,
          country: profile.countryCode.toUpperCase(),
          postal_code: profile.zipCode,
        },
        manager: { name: profile.manager ?? null, uid: profile.managerId ?? null },
        created_time: Date.parse(entry.created),
        hire_time: profile.hireDate == null ? null : Date.parse(`${profile.hireDate}T00:00:00Z`),
        last_login_time: entry.lastLogin == null ? null : Date.parse(entry.lastLogin),
        email_addrs: [profile.email, ...(profile.otherEmails ?? [])].map((one) =>
          one.toLowerCase(),
        ),
      },
    },
    metadata: {
      version: '1.4.0',
      uid: entry.id,
      product: { name: 'Directory', vendor_name: 'Example' },
    },
    status: capitalize(entry.status.toLowerCase().replaceAll('_', ' ')),
    unmapped: {
      locale: profile.locale,
      timezone: profile.timezone,
      type: entry.type.id,
      password_changed: entry.passwordChanged,
    },
  };
}
