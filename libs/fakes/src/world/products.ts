import type { Product } from './types.js';

type Row = readonly [
  key: string,
  name: string,
  vendor: string,
  kind: Product['kind'],
  cpe: string,
  version: string,
];

/** 25 applications: the version is the oldest that the company still has. */
const applicationRows: readonly Row[] = [
  ['chrome', 'Google Chrome', 'Google', 'browser', 'a:google:chrome', '124.0.6367.60'],
  ['edge', 'Microsoft Edge', 'Microsoft', 'browser', 'a:microsoft:edge_chromium', '124.0.2478.51'],
  ['firefox', 'Mozilla Firefox', 'Mozilla', 'browser', 'a:mozilla:firefox', '123.0'],
  [
    'microsoft-365-apps',
    'Microsoft 365 Apps for enterprise',
    'Microsoft',
    'office',
    'a:microsoft:365_apps',
    '16.0.17328.20184',
  ],
  [
    'acrobat-reader',
    'Adobe Acrobat Reader',
    'Adobe',
    'office',
    'a:adobe:acrobat_reader_dc',
    '24.002.20736',
  ],
  ['zoom', 'Zoom Workplace', 'Zoom', 'communication', 'a:zoom:workplace_desktop', '6.0.2'],
  ['7-zip', '7-Zip', 'Igor Pavlov', 'utility', 'a:7-zip:7-zip', '22.01'],
  ['winrar', 'WinRAR', 'RARLAB', 'utility', 'a:rarlab:winrar', '6.22'],
  [
    'notepad-plus-plus',
    'Notepad++',
    'Notepad++ Team',
    'utility',
    'a:notepad-plus-plus:notepad\\+\\+',
    '8.5.6',
  ],
  [
    'vscode',
    'Visual Studio Code',
    'Microsoft',
    'development',
    'a:microsoft:visual_studio_code',
    '1.80.0',
  ],
  ['git', 'Git', 'Git', 'development', 'a:git-scm:git', '2.44.0'],
  [
    'docker-desktop',
    'Docker Desktop',
    'Docker',
    'development',
    'a:docker:docker_desktop',
    '4.22.1',
  ],
  ['docker-engine', 'Docker Engine', 'Docker', 'server', 'a:mobyproject:moby', '25.0.5'],
  ['jenkins', 'Jenkins LTS', 'Jenkins', 'server', 'a:jenkins:jenkins', '2.426.2'],
  ['teamcity', 'TeamCity', 'JetBrains', 'server', 'a:jetbrains:teamcity', '2023.11.3'],
  ['gitlab', 'GitLab', 'GitLab', 'server', 'a:gitlab:gitlab', '16.7.1'],
  [
    'confluence',
    'Confluence Data Center',
    'Atlassian',
    'server',
    'a:atlassian:confluence_data_center',
    '8.5.3',
  ],
  ['grafana', 'Grafana', 'Grafana Labs', 'server', 'a:grafana:grafana', '10.2.3'],
  ['nginx', 'nginx', 'F5', 'server', 'a:f5:nginx_open_source', '1.25.4'],
  [
    'apache-http-server',
    'Apache HTTP Server',
    'Apache Software Foundation',
    'server',
    'a:apache:http_server',
    '2.4.58',
  ],
  [
    'postgresql',
    'PostgreSQL',
    'PostgreSQL Global Development Group',
    'server',
    'a:postgresql:postgresql',
    '16.2',
  ],
  ['openssh', 'OpenSSH server', 'OpenBSD', 'server', 'a:openbsd:openssh', '9.6'],
  ['openssl', 'OpenSSL', 'OpenSSL', 'library', 'a:openssl:openssl', '3.0.13'],
  ['curl', 'curl', 'curl', 'library', 'a:haxx:curl', '8.3.0'],
  ['log4j', 'Apache Log4j', 'Apache Software Foundation', 'library', 'a:apache:log4j', '2.14.1'],
];

const systemRows: readonly Row[] = [
  [
    'windows-11',
    'Windows 11 Enterprise 23H2',
    'Microsoft',
    'operating_system',
    'o:microsoft:windows_11_23h2',
    '10.0.22631.3296',
  ],
  [
    'windows-server-2022',
    'Windows Server 2022 Datacenter',
    'Microsoft',
    'operating_system',
    'o:microsoft:windows_server_2022',
    '10.0.20348.2322',
  ],
  [
    'windows-server-2019',
    'Windows Server 2019 Standard',
    'Microsoft',
    'operating_system',
    'o:microsoft:windows_server_2019',
    '10.0.17763.5576',
  ],
  ['macos', 'macOS Sonoma', 'Apple', 'operating_system', 'o:apple:macos', '14.3'],
  ['ios', 'iOS', 'Apple', 'operating_system', 'o:apple:iphone_os', '17.3'],
  ['android', 'Android', 'Google', 'operating_system', 'o:google:android', '14.0'],
  [
    'linux-kernel',
    'Amazon Linux 2023',
    'Amazon',
    'operating_system',
    'o:linux:linux_kernel',
    '6.1.61',
  ],
  [
    'pan-os',
    'PAN-OS',
    'Palo Alto Networks',
    'operating_system',
    'o:paloaltonetworks:pan-os',
    '10.2.6',
  ],
];

function toProduct([key, name, vendor, kind, cpe, version]: Row): Product {
  return {
    key,
    name,
    vendor,
    kind,
    version,
    cpe: `cpe:2.3:${cpe}:${version}:*:*:*:*:*:*:*`,
    cpe_prefix: `cpe:2.3:${cpe}`,
  };
}

export const applications: readonly Product[] = applicationRows.map(toProduct);
export const operatingSystems: readonly Product[] = systemRows.map(toProduct);

const byKey = new Map([...applications, ...operatingSystems].map((one) => [one.key, one]));

export function productOf(key: string): Product {
  const product = byKey.get(key);
  if (product === undefined) throw new RangeError(`unknown product ${key}`);
  return product;
}
