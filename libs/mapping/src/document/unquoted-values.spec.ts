import { describe, expect, it } from '@jest/globals';
import { unquotedValues } from './unquoted-values.js';

const located = (text: string) => ({
  text,
  locate: (line: number, column: number) => ({ line, column }),
});
const found = (text: string, key = 'query', isQuery = false) =>
  unquotedValues({ located: located(text), isQuery, key }).map(({ line, column, message }) => {
    const [, value = ''] = /^(.*) is joined into/.exec(message) ?? [];
    return `${line}:${column} ${value}`;
  });

/** "`1 OR TicketId > 0` returned another ticket's comments." */
describe('a value that callers choose', () => {
  it.each([
    ['root.q = "id = " + this.path.id', '1:20 this.path.id'],
    ['root.q = "id = %s".format(this.path.id)', '1:27 this.path.id'],
    ['root.q = ["id =", this.path.id].join(" ")', '1:19 this.path.id'],
    ['root.q = "id = " + path.id', '1:20 path.id'],
    ['root.q = "id = " + this.query.name.lowercase()', '1:20 this.query.name.lowercase()'],
    ['let id = this.path.id.trim()\nroot.q = "id = " + $id', '2:20 $id'],
    ['root.q = this.filters.map_each(f -> f.name + " = " + f.value).join(" AND ")', '1:54 f.value'],
    [
      'root.q = "id in (" + this.filters.index(0).values.join(",") + ")"',
      '1:22 this.filters.index(0).values.join(",")',
    ],
    [
      'map one { root = this.name + "=" + this.value }\nroot.q = this.filters.map_each(f -> f.apply("one")).join(" ")',
      '1:36 this.value',
    ],
    [
      'root.q = "n = " + if this.path.id == "" { "0" } else { this.path.id }',
      '1:19 if this.path.id == "" { "0" } else { this.path.id }',
    ],
    ['root.q = "n = " + (this.path.id | "0")', '1:20 this.path.id | "0"'],
  ])('is found where it is joined into a query: %s', (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it.each([
    'root.q = "id = " + this.path.id.quote_with("\'", "\\\\")',
    'root.q = "id = %v".format(this.path.id.number())',
    'root.q = this.filters.map_each(f -> f.name + " = " + f.value.format_json().string()).join(" AND ")',
    'root.q = "created > " + (this.filters.index(0).value / 1000).ts_format("2006-01-02", "UTC")',
    'root.id = this.path.id',
    'root.ids = this.filters.index(0).values.join(",")',
    'root.q = if this.path.id == "a" { "x = 1" }',
    'root.q = "order by " + {"a": "b"}.get(this.query.order)',
    'root.prefix = this.path.path + "/"',
    'root.page = this.query.page + 1',
    'root.q = "id = " + this.config.id + this.steps.a.path.id',
    'root.q = this.query."passthrough-param".index(0) + " | tail(1)"',
    'root.list = this.steps.a.map_each(path -> "id = " + path.id)',
  ])('is not found where it is quoted, alone, or none: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('is found in an address, even between names of a path', () => {
    expect(found('this.config.url + "/cases/" + this.path.id', 'url', true)).toEqual([
      '1:31 this.path.id',
    ]);
    expect(
      found('this.config.url + "/cases/" + this.path.id.escape_url_path()', 'url', true),
    ).toEqual([]);
  });

  it('is not looked for in texts that people read', () => {
    expect(found('"there is no host " + this.path.id', 'message', true)).toEqual([]);
  });
});
