// npm run -s pack -- python: makes the wheel of the Python client, onefold_client-VERSION-py3-none-any.whl. It needs python3.
//   --to FOLDER     where it is written; the folder of the caller when absent
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installMissing, root, run } from './install.mjs';

const { values } = parseArgs({ options: { to: { type: 'string' } } });
installMissing();
for (const room of ['contract', 'client'])
  run(process.execPath, [join(root, 'libs', room, 'build.mjs')]);
const room = join(root, 'libs/client');
const { version } = JSON.parse(readFileSync(join(room, 'package.json'), 'utf8'));
const target = resolve(values.to ?? process.env['INIT_CWD'] ?? '.');
mkdirSync(target, { recursive: true });
/** A wheel is a ZIP archive with the files, their hashes and the facts of pyproject.toml. Times are fixed, so that the same sources make the same wheel. */
const script = `
import base64, hashlib, pathlib, sys, tomllib, zipfile
source, version, target, licence = sys.argv[1:]
root = pathlib.Path(source)
project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
if project["version"] != version:
    sys.exit(f"pyproject.toml has version {project['version']}, package.json {version}")
info = f"onefold_client-{version}.dist-info"
files = {
    path.relative_to(root).as_posix(): path.read_bytes()
    for path in sorted((root / "onefold_client").rglob("*"))
    if path.suffix == ".py" or path.name == "py.typed"
}
files[f"{info}/METADATA"] = "\\n".join([
    "Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version}", f"Summary: {project['description']}",
    f"License-Expression: {project['license']}", "License-File: LICENSE", f"Requires-Python: {project['requires-python']}",
    "Description-Content-Type: text/markdown", "", (root / "README.md").read_text(),
]).encode()
files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\\nGenerator: onefold\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
files[f"{info}/licenses/LICENSE"] = pathlib.Path(licence).read_bytes()
digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
record = [f"{name},sha256={digest(data)},{len(data)}" for name, data in files.items()]
files[f"{info}/RECORD"] = "\\n".join([*record, f"{info}/RECORD,,", ""]).encode()
wheel = pathlib.Path(target) / f"onefold_client-{version}-py3-none-any.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for name, data in files.items():
        archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
print(wheel)
`;
const args = ['-c', script, join(room, 'python'), version, target, join(root, 'LICENSE')];
execFileSync('python3', args, { stdio: 'inherit' });
