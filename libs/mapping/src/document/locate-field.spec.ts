import { describe, expect, it } from '@jest/globals';
import { compileDocument } from './compile-document.js';

const document = (parts: string) => `engine: bloblang_direct
version: '1.0'
${parts}`;
const locate = (source: string, path: string) =>
  compileDocument(document(source), { name: 'a.yaml' }).locateField(path.split('.'));

describe('the place of a field', () => {
  const one = `templates:
  default: |
    root = {"id": this.key, "device": {
      "name": this.host,
      "uid": this.host_id}}
    root.status = "open"
    if this.closed {
      root.status = this.state
    }
    device.os.name = this.os
`;

  it.each([
    ['status', 'a.yaml:10:21 in template default, root.status'],
    ['device.uid', 'a.yaml:7:14 in template default, root.device.uid'],
    ['device.os.name', 'a.yaml:12:22 in template default, root.device.os.name'],
    ['device.os.name.0', 'a.yaml:12:22 in template default, root.device.os.name'],
    ['device', 'a.yaml:5:39 in template default, root.device'],
  ])('%s is that of the last statement that names most of it', (path, place) => {
    expect(locate(one, path)).toBe(place);
  });

  it('is the same for each of a list, under the name that is given', () => {
    const compiled = compileDocument(document('templates:\n  default: root.tags = this.labels\n'));
    for (const index of ['0', '1'])
      expect(compiled.locateField(['tags', index], 'b')).toBe(
        'b:4:24 in template default, root.tags',
      );
    expect(compiled.locateField(['tags', '0'], 'c')).toBe('c:4:24 in template default, root.tags');
  });

  it('is nowhere if no statement sets it', () => {
    expect(locate('templates:\n  default: root.id = this.key\n', 'name')).toBeUndefined();
  });

  it('is in the template that runs last', () => {
    const several = `templates:
  default: root.a = this.b
  before: root.c = this.d
  after: root.a = this.e
pre: [before]
post: [after]
`;
    expect(locate(several, 'a')).toBe('a.yaml:6:19 in template after, root.a');
    expect(locate(several, 'c')).toBe('a.yaml:5:20 in template before, root.c');
  });

  it('is not known where the record decides which template sets it', () => {
    const several = `templates:
  default: |
    root.a = this.b
    root.c = this.d
  other: root.a = this.e
select:
  - { name: other, match: this.e != null }
`;
    expect(locate(several, 'a')).toBeUndefined();
    expect(locate(several, 'c')).toBe('a.yaml:6:14 in template default, root.c');
  });
});
