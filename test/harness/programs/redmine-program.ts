import {
  accessSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's packages `redmine redmine-sqlite puma`, and the database that installing them has made. */
const program = '/usr/share/redmine/config/environment.rb';
const database = '/var/lib/dbconfig-common/sqlite3/redmine/instances/default/redmine_default';

/** A program that serves a Redmine of its own, with the data of a new installation. It prints `api key KEY`, and `Listening on URL`. */
export interface RedmineProgram {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Deletes its database and its files. */
  remove: () => void;
}

/** Returns why this machine cannot run Redmine, or undefined. */
export function redmineFault(): string | undefined {
  try {
    for (const path of ['/usr/bin/puma', program, database]) accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return `no package redmine-sqlite or puma: ${(error as Error).message}`;
  }
}

/** Makes a copy of the installed Redmine's database, for a program that listens on loopback. */
export function redmineProgram(port: number): RedmineProgram {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-redmine-'));
  const [copy, files, rackup] = ['redmine.sqlite3', 'files', 'config.ru'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  copyFileSync(database, copy);
  mkdirSync(files);
  writeFileSync(
    rackup,
    `require '${program}'
Attachment.storage_path = '${files}'
Setting.rest_api_enabled = '1'
user = User.find_by_login('admin')
user.update!(must_change_passwd: false)
puts "api key #{user.api_key}"
$stdout.flush
run RedmineApp::Application
`,
  );
  const serve = ['-e', 'production', '-t', '2:4', '-b', `tcp://127.0.0.1:${port}`, rackup];
  return {
    command: 'sh',
    // Bundler looks for the Gemfile in the folder in which it is.
    args: ['-c', 'cd /usr/share/redmine && exec puma "$@"', 'puma', ...serve],
    env: { RAILS_ENV: 'production', X_DEBIAN_SITEID: 'default', DATABASE_URL: `sqlite3:${copy}` },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
