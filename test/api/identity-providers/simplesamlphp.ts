import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/harness';
import { selfSigned } from './certificate.js';

const pages = '/usr/share/simplesamlphp/www';
const packagedConfig = '/etc/simplesamlphp/config.php';

/** SAML identity provider (SimpleSAMLphp) on loopback; alice logs on with the password alicepw. */
export interface SimpleSamlPhp {
  entityId: string;
  ssoUrl: string;
  certificate: string;
  metadataUrl: string;
  stop(): void;
}

/** The reason why SimpleSAMLphp cannot be started here; undefined if it can. */
export function whyNoSimpleSamlPhp(): string | undefined {
  if (spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout?.includes('dom') !== true)
    return 'php with its dom module is not installed (Debian: php-cli php-xml)';
  if (!existsSync(pages) || !existsSync(packagedConfig))
    return 'SimpleSAMLphp is not installed (Debian: simplesamlphp php-sqlite3)';
  return undefined;
}

/** Starts it. @param sign element that it signs */
export async function startSimpleSamlPhp(
  service: { spEntityId: string; acsUrl: string },
  sign: 'response' | 'assertion',
): Promise<SimpleSamlPhp> {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-simplesamlphp-'));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const { key, certificate } = selfSigned();
  for (const name of ['config', 'metadata', 'cert', 'log', 'data', 'tmp', 'root'])
    mkdirSync(join(folder, name));
  symlinkSync(pages, join(folder, 'root/simplesaml'));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  write('cert/idp.key', key);
  write('cert/idp.crt', certificate);
  write('config/config.php', configuration(folder, base));
  write(
    'config/authsources.php',
    `<?php $config = ['example-userpass'=>['exampleauth:UserPass','alice:alicepw'=>['uid'=>['alice'],'mail'=>['alice@example.test']]]];`,
  );
  write(
    'metadata/saml20-idp-hosted.php',
    `<?php $metadata['${base}/idp'] = ['host'=>'__DEFAULT__','privatekey'=>'idp.key','certificate'=>'idp.crt','auth'=>'example-userpass','signature.algorithm'=>'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256','simplesaml.nameidattribute'=>'mail'];`,
  );
  write(
    'metadata/saml20-sp-remote.php',
    `<?php $metadata['${service.spEntityId}'] = ['AssertionConsumerService'=>'${service.acsUrl}','simplesaml.nameidattribute'=>'mail','NameIDFormat'=>'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress','saml20.sign.response'=>${sign === 'response'},'saml20.sign.assertion'=>${sign === 'assertion'}];`,
  );
  const php = spawn(
    'php',
    ['-d', `session.save_path=${folder}/tmp`, '-S', `127.0.0.1:${port}`, '-t', `${folder}/root`],
    { env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: join(folder, 'config') }, stdio: 'ignore' },
  );
  const stop = () => {
    php.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const metadataUrl = `${base}/simplesaml/saml2/idp/metadata.php`;
  try {
    await untilServed(metadataUrl, php);
  } catch (error) {
    stop();
    throw error;
  }
  const ssoUrl = `${base}/simplesaml/saml2/idp/SSOService.php`;
  return { entityId: `${base}/idp`, ssoUrl, certificate, metadataUrl, stop };
}

/**
 * Writes the packaged configuration with the folders of this instance, as an identity provider with a list of users.
 */
function configuration(folder: string, base: string): string {
  const changes: [RegExp, string][] = [
    [/'baseurlpath' => .*/, `'baseurlpath' => '${base}/simplesaml/',`],
    [/^(\s*)'certdir' => .*/m, `$1'certdir' => '${folder}/cert/',`],
    [/^(\s*)'loggingdir' => .*/m, `$1'loggingdir' => '${folder}/log/',`],
    [/^(\s*)'datadir' => .*/m, `$1'datadir' => '${folder}/data/',`],
    [/^(\s*)'tempdir' => .*/m, `$1'tempdir' => '${folder}/tmp',`],
    [/^(\s*)'metadatadir' => .*/m, `$1'metadatadir' => '${folder}/metadata/',`],
    [/'enable\.saml20-idp' => false/, `'enable.saml20-idp' => true`],
    [/'session\.cookie\.secure' => true/, `'session.cookie.secure' => false`],
    [/'logging\.handler' => 'syslog'/, `'logging.handler' => 'file'`],
    [/'admin\.checkforupdates' => true/, `'admin.checkforupdates' => false`],
    [/'exampleauth' => false/, `'exampleauth' => true`],
    [/require_once\('[^']*secrets\.inc\.php'\);/, `$config['secretsalt']='a-salt-of-the-spec';`],
  ];
  return changes.reduce(
    (text, [pattern, by]) => text.replace(pattern, by),
    readFileSync(packagedConfig, 'utf8'),
  );
}

async function untilServed(url: string, php: ChildProcess): Promise<void> {
  for (let wait = 0; wait < 600 && php.exitCode === null; wait += 1) {
    const text = await fetch(url).then(
      (response) => response.text(),
      () => '',
    );
    if (text.includes('IDPSSODescriptor')) return;
    await sleep(100);
  }
  throw new Error(`SimpleSAMLphp does not serve ${url}`);
}
